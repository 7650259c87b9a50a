import subprocess
import sys
import textwrap

import pytest

from pincite.errors import PinciteError
from pincite.ingest.parser_processes import Parsed, ParserJob, parse_all

pytestmark = pytest.mark.usefixtures("started_parsers")


def test_every_job_comes_back_in_some_order_with_its_pages_told(tmp_path):
    jobs = []
    for number in range(3):
        path = tmp_path / f"{number}.txt"
        path.write_text("\f".join(f"Page {page} of {number}." for page in range(number + 1)))
        jobs.append(ParserJob(path, path.name, f"sha{number}"))
    seen = []
    made = dict(parse_all(jobs, workers=2, tick=lambda job, page: seen.append((job.name, page))))
    assert set(made) == set(jobs)
    assert all(isinstance(document, Parsed) for document in made.values())
    assert max(page for name, page in seen if name == "2.txt") == 3


def test_a_job_that_fails_does_not_stop_the_others(tmp_path):
    good, bad = tmp_path / "good.txt", tmp_path / "bad.pdf"
    good.write_text("Fine.")
    bad.write_bytes(b"%PDF-1.4 broken")
    made = {
        job.name: result
        for job, result in parse_all(
            [ParserJob(good, "good", "a"), ParserJob(bad, "bad", "b")], 1, lambda *_: None
        )
    }
    assert isinstance(made["good"], Parsed)
    assert isinstance(made["bad"], PinciteError)


def test_a_parser_that_hangs_is_stopped(tmp_path, monkeypatch):
    hanging = tmp_path / "hangs" / "pincite_hang"
    hanging.mkdir(parents=True)
    # a module found first on the path stands in for a parser that never returns
    (hanging.parent / "sitecustomize.py").write_text(
        textwrap.dedent(
            """
            import time
            import pincite.ingest.document_parser
            pincite.ingest.document_parser.parse = lambda *a: time.sleep(600)
            """
        )
    )
    monkeypatch.setenv("PYTHONPATH", str(hanging.parent))
    path = tmp_path / "a.txt"
    path.write_text("x")
    ((_, made),) = parse_all([ParserJob(path, "a.txt", "s")], 1, lambda *_: None, silence_s=1.0)
    assert isinstance(made, PinciteError) and "was not parsed within" in str(made)


def test_a_page_that_takes_long_to_read_is_waited_for_while_it_gives_signs_of_life(
    tmp_path, monkeypatch
):
    (tmp_path / "sitecustomize.py").write_text(
        textwrap.dedent(
            """
            import time
            import pincite.ingest.document_parser
            from pincite.errors import SourceError
            from pincite.ingest.ocr.ocr_settings import alive

            def parse(*given):
                for _ in range(8):
                    time.sleep(0.4)
                    alive.get()()
                raise SourceError("read to its end")

            pincite.ingest.document_parser.parse = parse
            """
        )
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    path = tmp_path / "a.txt"
    path.write_text("x")
    ((_, made),) = parse_all([ParserJob(path, "a.txt", "s")], 1, lambda *_: None, silence_s=2.0)
    assert str(made) == "read to its end"


def test_a_parser_that_crashes_is_reported(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(
        "import os\nimport pincite.ingest.document_parser\npincite.ingest.document_parser.parse = lambda *a: os.abort()\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    path = tmp_path / "a.txt"
    path.write_text("x")
    ((_, made),) = parse_all([ParserJob(path, "a.txt", "s")], 1, lambda *_: None)
    assert isinstance(made, PinciteError) and "crashed" in str(made)


def test_a_script_needs_no_guard_around_its_main_code(tmp_path):
    script = tmp_path / "five_lines.py"
    (tmp_path / "report.txt").write_text("Revenue was 5 million euros in 2023.")
    script.write_text(
        f"import pincite\npincite.index({str(tmp_path / 'report.txt')!r}, {str(tmp_path / 'c')!r})\n"
        f"print(len(pincite.open({str(tmp_path / 'c')!r}).corpus.documents))\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert (done.stdout.strip(), done.returncode) == ("1", 0), done.stderr
