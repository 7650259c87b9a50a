"""How much a browser loads for a page with an answer, and then for its viewer, as sent over the line.

    pincite serve --corpus CORPUS --port 8080
    python benchmarks/speed/page_weight.py http://127.0.0.1:8080 CORPUS "What was net revenue in 2023?" grids/peers

A fresh Chromium opens the answer, then scrolls its document; others open the further pages of the corpus that are named.
Bytes are those of replies with their headers, by what they are.
"""

import shutil
import sys
import urllib.request
from collections import Counter
from urllib.parse import quote

from playwright.sync_api import Page, sync_playwright

KINDS = {
    "/pictures/": "page picture",
    "/file": "document",
    "/static/vendor/pdfjs/": "viewer",
    "viewer.js": "viewer",
    "/static/vendor/datatables/": "grid",
    "/static/vendor/keytable/": "grid",
    "grid.js": "grid",
    "/static/vendor/chartjs/": "plots",
    "plots.js": "plots",
}


def followed(page: Page) -> Counter[str]:
    """The bytes that a page receives from now on, by kind."""
    found: Counter[str] = Counter()
    kinds: dict[str, str] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def begun(event: dict) -> None:
        url = event["request"]["url"]
        kinds[event["requestId"]] = next(
            (kind for part, kind in KINDS.items() if part in url), "page"
        )

    def over(event: dict) -> None:
        found[kinds.get(event["requestId"], "page")] += int(event["encodedDataLength"])

    session.on("Network.requestWillBeSent", begun)
    session.on("Network.loadingFinished", over)
    return found


def packed(address: str) -> int:
    """The bytes of a reply as a browser gets it: that to the viewer's worker is told to nobody."""
    asked = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked) as reply:
        return len(reply.read())


def told(found: Counter[str]) -> dict[str, str]:
    """Bytes by kind as they are printed."""
    return {kind: f"{size / 1000:.0f} kB" for kind, size in found.items()}


def main() -> None:
    """Open an answer, then its viewer, and print what came."""
    site, corpus, question, *others = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_context().new_page()
        first = followed(page)
        page.goto(f"{site}/c/{corpus}/?q={quote(question)}", timeout=120_000)
        page.wait_for_load_state("networkidle")
        print("first load:", told(first))
        first.clear()
        page.get_by_role("button", name="Scroll the document").click()
        page.locator(".leaf[data-drawn]").first.wait_for(timeout=120_000)
        page.wait_for_load_state("networkidle")
        first["viewer"] += packed(f"{site}/static/vendor/pdfjs/pdf.worker.min.mjs")
        print("viewer:", told(first))
        for other in others:
            page = browser.new_context().new_page()
            first = followed(page)
            page.goto(f"{site}/c/{corpus}/{other}", timeout=120_000)
            page.wait_for_load_state("networkidle")
            print(f"{other}:", told(first))


if __name__ == "__main__":
    main()
