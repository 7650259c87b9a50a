"""Every page of the server before axe-core, light and dark, with all that folds open, in three windows."""

import shutil
from decimal import Decimal

import httpx
import pytest

from pincite.serve.door.access import hashed, read_tokens
from pincite.storage.ledger import Ledger, Usage

from .conftest import QUESTION, REPORT, running

pytestmark = pytest.mark.servers

MISSING = "axe-playwright-python is not installed: pip install 'pincite[dev]'"
axe = pytest.importorskip("axe_playwright_python.base", reason=MISSING)

WIDTHS = 390, 1024, 1680
TOKEN = "token of ada"
API = "/api/v1/corpora/reports"
SPEC = {
    "title": "Taxes", "entity": "company", "rows": ["Halvorsen Maritime plc", "Northwind Tugs AS"],
    "columns": [{"name": "Income tax expense", "type": "number", "period": 2023}, {"name": "Revenue", "periods": [2022, 2023]}],
}  # fmt: skip
FILES = (
    ("broken.pdf", b"%PDF-1.7 broken"),
    ("rules.md", b"# Harbour rules\n\nThe speed limit in the harbour is 6 knots.\n"),
    (
        "ships.csv",
        b"ship,home_port,built,tonnage\nAurora,Oslo,2010,12500\nBorealis,Bergen,2012,9800\nCastor,Oslo,2010,151\n",
    ),
)
PAGES = (
    "/", "/c/reports/", "/c/reports/answers/{tax}", "/c/reports/answers/{tax}?cite=1&page=2", "/c/reports/answers/{share}",
    "/c/reports/answers/{speed}", "/c/reports/answers/{tonnage}", "/c/reports/?q={patents}", "/c/reports/?q=tax&as_of=soon",
    "/c/reports/sources", "/c/reports/sources?find=nothing", "/c/reports/sources/quality", "/c/reports/cost", "/c/archive/cost",
    "/c/reports/documents/{key}/3?find=tax", "/c/reports/documents/{text}/1", "/c/reports/chat", "/c/reports/chat/{chat}",
    "/c/reports/grids", "/c/archive/grids", "/c/reports/grids/{grid}", "/c/reports/review", "/c/archive/review",
    "/c/reports/jobs", "/c/archive/jobs", "/c/reports/jobs/{added}", "/c/reports/jobs/{failed}", "/c/reports/reports",
    "/c/reports/nowhere", "/corpora", "/people", "/c/reports/settings", "/c/reports/grids-editor",
    "/c/reports/grids-editor?template=credit-memo", "/c/reports/grids-editor?grid={grid}",
    "/c/reports/answers/{tax}?cite=1#scrolled",
)  # fmt: skip


@pytest.fixture(scope="module")
def site(browser, corpus):
    """The address of a server over two corpora, one with something of everything in it, that asks for a token."""
    copy = shutil.copytree(corpus, corpus.parent / "archive.corpus")
    ledger = Ledger(corpus / "ledger.sqlite")
    ledger.settle(
        ledger.reserve("large", Decimal("0.02")), Usage(input=900, output=80), Decimal("0.01"), 1.5
    )
    (corpus / "reports").mkdir()
    (corpus / "reports" / "fusion.html").write_text("<!doctype html><title>Fusion</title>")
    tokens = corpus.parent / "tokens.toml"
    tokens.write_text(f'[ada]\nsha256 = "{hashed(TOKEN)}"\nrole = "admin"\n')
    with running(corpus, copy, access=read_tokens(tokens)) as address:
        yield address


@pytest.fixture(scope="module")
def held(site):
    """What the addresses of PAGES name: answers that were reviewed, a chat, a grid, jobs."""
    with httpx.Client(
        base_url=site, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60
    ) as client:

        def answer(question):
            return client.post(f"{API}/ask", json={"question": question}).json()["answer_id"]

        def job(reply):
            with client.stream("GET", f"{API}/jobs/{reply.json()['id']}/events") as events:
                for _ in events.iter_lines():
                    pass
            return reply.json()["id"]

        added = job(client.post(f"{API}/documents", files=[("files", one) for one in FILES]))
        tax = answer(QUESTION)
        for given in (
            {"action": "accept"}, {"action": "correct", "value": "-11,700 thousand EUR", "note": "Rounded."},
            {"action": "comment", "note": "See the note on taxes."},
        ):  # fmt: skip
            assert client.post(f"{API}/feedback", json={"answer_id": tax, **given}).is_success
        talk = (
            client.post("/c/reports/chat", data={"q": QUESTION})
            .headers["location"]
            .partition("#")[0]
        )
        client.post(
            "/c/reports/chat",
            data={"q": "How many patents were held?", "chat": talk.rsplit("/", 1)[1]},
        )
        keys = {
            one["document"]: one["key"] for one in client.get(f"{API}/documents").json()["items"]
        }
        filled = job(client.post(f"{API}/grids", json=SPEC))
        (corpus_grid,) = client.get(f"{API}/grids").json()
        bad = {"spec": ("grid.csv", b"company,Revenue\ntype,colour\nContoso,\n")}
        failed = client.post("/c/reports/grids", files=bad).headers["location"].rsplit("/", 1)[1]
        return {
            "added": added, "failed": failed, "filled": filled, "tax": tax, "chat": talk.rsplit("/", 1)[1],
            "share": answer("By what percentage did the operating profit of Halvorsen Maritime change from 2022 to 2023?"),
            "speed": answer("What is the speed limit in the harbour?"),
            "tonnage": answer("What is the total tonnage of the ships built in 2010?"),
            "patents": "How+many+patents+did+Halvorsen+Maritime+hold+in+2023%3F",
            "key": keys[REPORT], "text": keys["rules.md"], "grid": corpus_grid["id"],
        }  # fmt: skip


def test_every_page_is_for_everyone_and_no_wider_than_the_window(window, held):
    page = window(allowed=("status of 4",), device_scale_factor=1)
    findings = []

    def check(path, at):
        page.evaluate(
            "() => { for (const one of document.querySelectorAll('details')) one.open = true }"
        )
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("() => document.documentElement.scrollWidth")
            findings.extend([(path, f"{wide} wide in {width}")] if wide > width else ())
        for scheme, width, rules in (
            ("light", WIDTHS[at % 3], None),
            ("dark", WIDTHS[(at + 1) % 3], ["color-contrast"]),
        ):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            run = "async (rules) => (await axe.run({resultTypes: ['violations'], ...(rules && {runOnly: rules})})).violations"
            for one in page.evaluate(run, rules):
                first = one["nodes"][0]
                found = (
                    path,
                    scheme,
                    width,
                    one["id"],
                    first["html"][:200],
                    first["failureSummary"][:300],
                )
                findings.extend([found] if one["impact"] in ("serious", "critical") else ())

    page.goto("/login")
    page.evaluate(axe.AXE_SCRIPT)
    check("/login", 0)
    page.locator("#token").fill(TOKEN)
    page.keyboard.press("Enter")
    page.wait_for_url("**/")
    for at, path in enumerate(PAGES):
        page.goto(path.format(**held))
        if path.endswith("#scrolled"):
            page.locator("[data-scroll]").click()
            page.locator(".leaf[data-drawn]").first.wait_for()
        page.evaluate(axe.AXE_SCRIPT)
        check(path, at)
    assert not findings, "\n".join(map(str, findings))
