"""`pincite enrich` as a process: without a model, estimated, killed and run again."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from itertools import count

from pincite.search.index.told_texts import nodes_told
from pincite.storage.ledger import Ledger
from pincite.workbench.library import index
from tests import forked
from tests.served import agreed
from tests.stand_ins.fakes import Bill, ScriptedServer, constant, delayed

PAGES = 12
SETTINGS = """\
[models]
small = "scripted"
concurrency = 2
[models.prices.scripted]
input = 1
output = 2
"""


def variables(**more):
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PINCITE_", "OPENAI_")) or name == "PINCITE_MODELS"
    }
    return {**kept, "OPENAI_API_KEY": "k", **more}


def started(folder, *options, **environment):
    return subprocess.Popen(
        [sys.executable, "-m", "pincite.cli.main", "enrich", "--corpus", "corpus", *options],
        cwd=folder, env=variables(**environment), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def run(folder, *options, **environment):
    words = ("enrich", "--corpus", "corpus", *options)
    done = forked.run(*words, cwd=folder, env=variables(**environment))
    return done.returncode, done.stdout, done.stderr


def corpus(folder):
    (folder / "files").mkdir()
    (folder / "files" / "a.txt").write_text(
        "\f".join(f"page {n} about wind" for n in range(PAGES))
    )
    index(folder / "files", folder / "corpus")
    (folder / "pincite.toml").write_text(SETTINGS)
    agreed(folder)
    return folder


def told(folder):
    return len(nodes_told(folder / "corpus", "purpose", "scripted", "1"))


def test_without_a_model_it_says_what_it_needs(tmp_path):
    (corpus(tmp_path) / "pincite.toml").unlink()
    code, out, err = run(tmp_path)
    assert (
        (code, out) == (1, "")
        and "PINCITE_SMALL or PINCITE_MODEL" in err
        and "Traceback" not in err
    )
    assert not (tmp_path / "corpus" / "told.sqlite").exists()


def test_a_dry_run_estimates(tmp_path):
    code, out, _ = run(corpus(tmp_path), "--dry-run", "--json")
    rows = json.loads(out)
    assert code == 0 and [(one["kind"], one["objects"], one["todo"]) for one in rows] == [
        (kind, PAGES, PAGES) for kind in ("purpose", "summary", "qa")
    ]  # fmt: skip
    assert {"told.sqlite", "ledger.sqlite", "replies.sqlite"}.isdisjoint(
        os.listdir(tmp_path / "corpus")
    )


def test_a_killed_run_goes_on_and_pays_for_nothing_twice(tmp_path):
    corpus(tmp_path)
    killed, at_once, asked_before = (
        threading.Event(),
        constant({"text": "why it is there"}),
        count(),
    )
    late = delayed(at_once, 60)

    def stalling(
        asked,
    ):  # nothing is on its way when the process dies: such a reply would be lost and paid for
        return at_once(asked) if killed.is_set() or next(asked_before) < 4 else late(asked)

    with ScriptedServer(stalling, bill=Bill(price=("1", "2"))) as server:
        process = started(tmp_path, "--what", "purpose", OPENAI_BASE_URL=server.url)
        while told(tmp_path) < 4 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        killed.set()
        before = told(tmp_path)
        assert before == 4
        code, out, err = run(tmp_path, "--what", "purpose", "--json", OPENAI_BASE_URL=server.url)
        made = json.loads(out)
        assert (code, made["told"], made["before"]) == (0, {"purpose": PAGES - before}, before), (
            err
        )
        assert not server.bill.paid_twice and sum(server.bill.delivered.values()) == PAGES
    rows = Ledger(tmp_path / "corpus" / "ledger.sqlite").rows("offline", "stage")
    assert [(row.offline, row.stage) for row in rows] == [(True, "Enrich purpose")]
    assert rows[0].usage.output == PAGES * server.bill.rows[-1].output


def test_a_budget_stops_it(tmp_path):
    corpus(tmp_path)
    with ScriptedServer(
        constant({"text": "why it is there"}), bill=Bill(price=("1", "2"))
    ) as server:
        code, out, err = run(
            tmp_path, "--what", "purpose", "--budget", "0.006", OPENAI_BASE_URL=server.url
        )
        assert (
            code == 3 and "budget" in err and "described: " in out and 0 < told(tmp_path) < PAGES
        )
        assert float(server.bill.cost) <= 0.006
