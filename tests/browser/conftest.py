"""A browser before a real server on this machine: what it draws is compared, and whatever leaves the host fails the test."""

import io
import json
import math
import shutil
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
import uvicorn
from PIL import Image

from pincite.serve.app import create_app
from pincite.serve.corpora import served
from pincite.serve.door.access import Access
from pincite.settings import Settings
from tests.copied import unasked

QUESTION = "What was the income tax expense of Halvorsen Maritime in 2023?"
REPORT = "halvorsen-annual-report-2023.pdf"
WINDOW = {"width": 1400, "height": 1000}
SHARP = 2
"""Pixels of the screen to one of a style sheet."""
MARGIN = 2.0
"""Points between what is cited and the frame around it."""
FRAME, STROKE = (208, 50, 29), 1.6
"""The colour and width of the line of a frame."""


def _program():
    names = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
    return next((found for found in map(shutil.which, names) if found), "")


@pytest.fixture(scope="module")
def browser():
    """The system's Chromium, which finds no other host; begun anew for each file, since its loop would be that of later tests."""
    missing = "playwright is not installed: pip install 'pincite[dev]'"
    sync_api = pytest.importorskip("playwright.sync_api", reason=missing)
    program = _program()
    if not program:
        pytest.skip(
            "there is no Chromium on this machine: install the package `chromium`, as .ci/run does"
        )
    with sync_api.sync_playwright() as playwright:
        nowhere = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        opened = playwright.chromium.launch(executable_path=program, args=[nowhere])
        yield opened
        opened.close()


@contextmanager
def running(*folders, access=None):
    """The address of a server over these corpora."""
    app = create_app(
        served(map(Path, folders), Settings()),
        access or Access(),
        local=access is None,
        processes=0,
    )
    config = uvicorn.Config(
        app, port=0, log_level="warning", access_log=False, ws="none", timeout_graceful_shutdown=1
    )
    socket = config.bind_socket()
    socket.listen()
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([socket],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def corpus(example_corpus, tmp_path_factory):
    """A copy of the example corpus that the tests of a file may change."""
    return unasked(example_corpus, tmp_path_factory.mktemp("browsed") / "reports.corpus")


@pytest.fixture(scope="module")
def site(browser, corpus):
    """The address of a server over the example corpus."""
    with running(corpus) as address:
        yield address


@pytest.fixture(scope="module")
def contexts(browser, site):
    """Makes contexts of the browser at the server, by what is special of them; with them what went wrong in any."""
    made, wrong = {}, []

    def context(**given):
        key = str(given)
        if key not in made:
            usual = {"viewport": WINDOW, "device_scale_factor": SHARP, "reduced_motion": "reduce"}
            made[key] = one = browser.new_context(**{**usual, **given}, base_url=site)
            one.set_default_timeout(60_000)
            one.on(
                "request",
                lambda one: (
                    _origin(one.url) not in (site, "") and wrong.append(f"request to {one.url}")
                ),
            )
            one.on(
                "console",
                lambda one: one.type == "error" and wrong.append(f"{one.text} {one.location}"),
            )
            one.on("weberror", lambda one: wrong.append(f"error in a script: {one.error}"))
        return made[key]

    yield context, wrong
    for one in made.values():
        one.close()


@pytest.fixture
def window(contexts):
    """Makes windows at the server; a request to elsewhere or an error in any of them, other than `allowed`, fails the test."""
    context, wrong = contexts
    pages, expected = [], []

    def make(allowed=(), **given):
        expected.extend(allowed)
        pages.append(context(**given).new_page())
        return pages[-1]

    yield make
    for page in pages:
        page.close()
    found = [one for one in wrong if not any(part in one for part in expected)]
    wrong.clear()
    assert not found, found


def _origin(url):
    """Where a request goes; nowhere for what a page holds itself."""
    parts = urlsplit(url)
    return "" if parts.scheme in ("data", "blob") else f"{parts.scheme}://{parts.netloc}"


@pytest.fixture
def page(window):
    """A window at the server."""
    return window()


def ask(page, question=QUESTION, corpus="reports"):
    """Ask by the field and its button, and wait for the answer."""
    page.goto(f"/c/{corpus}/")
    page.locator("#q").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer .value").wait_for()
    page.wait_for_load_state()


def enter(page, field, words):
    """Write words into a field and press Enter. The click waits until the page is drawn: keys before that are lost."""
    page.locator(field).click()
    page.locator(field).fill(words)
    page.keyboard.press("Enter")


def drawn_at(examples, text, page, file=REPORT):
    """Where the maker of the examples drew a text, in points from the page's top left."""
    truth = json.loads((examples / "truth.json").read_text())
    return next(
        one["box"]
        for one in truth
        if (one["file"], one["page"], one["text"]) == (file, page, text)
    )


@dataclass(frozen=True)
class Seen:
    """What the window shows of a page of a source: `pixels`; the top left of the page is, or would be, that at `start`."""

    pixels: np.ndarray
    start: tuple[float, float]
    scale: float

    def frame(self):
        """The middle of the line of the frame that is drawn there, as a box of the page; None when none is in sight."""
        half = STROKE * SHARP / 2 / self.scale
        box = self._around((abs(self.pixels - FRAME) < 24).all(axis=2))
        return box and (box[0] + half, box[1] + half, box[2] - half, box[3] - half)

    def ink(self, box):
        """The box around the dark pixels inside a box of the page."""
        left, top, right, bottom = (
            max(0, round(edge * self.scale + self.start[at % 2])) for at, edge in enumerate(box)
        )
        shown = np.zeros(self.pixels.shape[:2], bool)
        shown[top:bottom, left:right] = (self.pixels[top:bottom, left:right] < 128).all(axis=2)
        return self._around(shown)

    def _around(self, shown):
        rows, columns = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
        if not len(rows):
            return None
        edges = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
        return tuple(
            float(edge - self.start[at % 2]) / self.scale for at, edge in enumerate(edges)
        )


def look(page):
    """What the window shows of the page beside the answer, once its picture is there."""
    page.locator("#proof image").evaluate("image => image.decode()")
    svg, sheet = (
        page.locator("#proof svg").bounding_box(),
        page.locator("#proof .sheet").bounding_box(),
    )
    clip = {}
    for at, size in (("x", "width"), ("y", "height")):
        clip[at] = math.ceil(max(0, svg[at], sheet[at]))
        end = min(svg[at] + svg[size], sheet[at] + sheet[size], page.viewport_size[size])
        clip[size] = math.floor(end) - clip[at]
    pixels = np.asarray(Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")).astype(
        np.int16
    )
    points = float(page.locator("#proof svg").get_attribute("viewBox").split()[2])
    start = SHARP * (svg["x"] - clip["x"]), SHARP * (svg["y"] - clip["y"])
    return Seen(pixels, start, SHARP * svg["width"] / points)


def around(box, margin=MARGIN):
    """A box with room about it."""
    return box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin
