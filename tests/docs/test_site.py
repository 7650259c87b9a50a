"""The site: its reference covers the code, its navigation every page, and what is built loads nothing from elsewhere."""

import os
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def reference():
    sys.path.insert(0, str(ROOT / "scripts/docs"))
    try:
        return pytest.importorskip("reference", reason="mkdocs is not installed")
    finally:
        sys.path.pop(0)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site: that of `make docs` where it names it."""
    if built := os.environ.get("PINCITE_SITE"):
        return Path(built)
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--site-dir",
        folder,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_setting_and_command_has_its_meaning(reference):
    commands, settings = reference.commands(), reference.settings()
    assert "| `--as-of` | Ask the editions in force on a date" in commands
    assert '| `ocr` | `"auto"`, `"on"`, `"off"` | `auto` | `PINCITE_OCR` |' in settings
    assert (
        "| `bundle_key` \\* | text |" in settings
        and "`concurrency` | a whole number from 1" in settings
    )
    assert "| `doc_ids` |" in reference.spec_files()


def test_every_page_is_in_the_navigation():
    told = (ROOT / "mkdocs.yml").read_text()
    named = set(re.findall(r"[\w/-]+\.md", told.partition("\nnav:")[2]))
    there = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {name for name in named if not name.startswith("reference/")} == there
    assert max(Counter(name.rpartition("/")[0] for name in there).values()) <= 25
    assert yaml.safe_load(told)["theme"]["font"] is False


class _Loads(HTMLParser):
    """The addresses that a page loads when it is opened; links that are followed on a click are none."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.found += [
            given[name] for name in ("src", "srcset", "data", "poster") if given.get(name)
        ]
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.found.append(given.get("href") or "")


@pytest.mark.stress
def test_nothing_is_loaded_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        loads = _Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.found
        assert not [place for place in loads.found if re.match(r"(https?:)?//", place)], page.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*['\"]?(https?:)?//", sheet.read_text("utf-8")), (
            sheet
        )


@pytest.mark.stress
def test_a_browser_asks_nobody_else(site):
    """Scripts could load what no page names."""
    playwright = pytest.importorskip("playwright.sync_api")
    from tests.browser.conftest import _program

    if not _program():
        pytest.skip("there is no Chromium on this machine")
    asked: list[str] = []
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=_program())
        window = browser.new_page()
        window.on("request", lambda request: asked.append(request.url))
        for name in ("index.html", "reference/python.html", "start/esg.html", "results.html"):
            window.goto((site / name).as_uri())
            window.wait_for_load_state("networkidle")
        browser.close()
    assert asked and not [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]
