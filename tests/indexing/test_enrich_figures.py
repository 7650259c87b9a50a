"""Figures described by a model that sees: what it is sent over HTTP, and what becomes of what it says."""

import base64
import io
from decimal import Decimal

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from pincite.corpus import Corpus
from pincite.indexing import ensure, index
from pincite.indexing.enrichment import enrich, estimate
from pincite.ingest.ocr.ocr_settings import OcrSettings
from pincite.models.endpoints.chat import ChatModel
from pincite.models.endpoints.replies import Replies
from pincite.ports import Kit
from pincite.recipes import RECIPES, recipe
from pincite.search.index.document_views import Pages, Whole
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf, open_shelf
from pincite.search.index.told_texts import Told
from pincite.search.reranking import Rerank
from pincite.search.shelf_search import Search
from pincite.settings import Settings
from pincite.storage.ledger import Ledger, Price
from pincite.types import Query
from pincite.workbench.library import Library
from tests.stand_ins.fakes import Bill, HashEncoder, ScriptedServer, oracle

PAGES, CAPTIONS = Shelf(Lexical(), (Pages(),)), Shelf(Lexical(), (Told("captions", on="page"),))


@pytest.fixture
def corpus(tmp_path):
    """A corpus of what `drawn` draws."""
    return drawn(tmp_path)


def drawn(tmp_path):
    """Three pages with a logo each; the second has a red chart with a caption as well."""
    (tmp_path / "files").mkdir()
    Image.new("RGB", (60, 30), (200, 30, 30)).save(tmp_path / "red.png")
    Image.new("RGB", (60, 30), (30, 30, 200)).save(tmp_path / "logo.png")
    canvas = Canvas(str(tmp_path / "files" / "a.pdf"), pagesize=(400, 400))
    for number in (1, 2, 3):
        canvas.drawString(
            50,
            380,
            f"Sales of the harbours are told on page {number}, with some more words around them.",
        )
        canvas.drawImage(str(tmp_path / "logo.png"), 290, 10, 100, 50)
        if number == 2:
            canvas.drawImage(str(tmp_path / "red.png"), 100, 150, 200, 100)
            canvas.drawString(100, 135, "Figure 1: Sales by harbour.")
        canvas.showPage()
    canvas.save()
    index(
        [tmp_path / "files"],
        tmp_path / "corpus",
        (PAGES, CAPTIONS),
        ocr_settings=OcrSettings("off"),
    )
    return tmp_path / "corpus"


@pytest.fixture(scope="module")
def captioned(tmp_path_factory):
    """The same with what a model told of the chart."""
    folder = drawn(tmp_path_factory.mktemp("captioned"))
    with ScriptedServer(oracle(lambda asked: {"text": "A red zebra chart."})) as server:
        enrich(folder, {"captions": model(server, Replies())})
    return folder


def model(server, replies, ledger=None):
    return ChatModel(
        "sees",
        server.url,
        price=Price(Decimal(1), Decimal(2)),
        ledger=ledger or Ledger(),
        replies=replies,
    )


def picture_of(asked):
    parts = [
        part
        for message in asked.messages
        if isinstance(message["content"], list)
        for part in message["content"]
    ]
    (sent,) = (part["image_url"]["url"] for part in parts if part["type"] == "image_url")
    return Image.open(io.BytesIO(base64.b64decode(sent.removeprefix("data:image/png;base64,"))))


def test_the_picture_is_sent_with_its_caption_and_what_comes_back_is_found_and_not_taken_for_the_source(
    corpus,
):
    asked_for = []

    def answer(asked):
        asked_for.append((picture_of(asked), asked.said("user")))
        return {"text": "A red zebra chart."}

    replies = Replies()
    with ScriptedServer(oracle(answer), bill=Bill(price=("1", "2"))) as server:
        (one,) = estimate(corpus, {"captions": model(server, replies)})
        assert (one.objects, one.todo, server.bill.requests) == (
            1,
            1,
            0,
        ) and 0 < one.cost <= one.most
        made = enrich(corpus, {"captions": model(server, replies)})
        assert (dict(made.told), made.failed, server.bill.requests) == ({"captions": 1}, (), 1)
        again = enrich(corpus, {"captions": model(server, replies)})
        assert (dict(again.told), again.before, server.bill.requests) == ({}, 1, 1)
    ((picture, said),) = asked_for
    assert picture.size == (400, 200) and picture.getpixel((200, 100)) == (200, 30, 30)
    assert "Figure 1: Sales by harbour." in said
    index([corpus.parent / "files"], corpus, (PAGES, CAPTIONS), ocr_settings=OcrSettings("off"))
    opened = Corpus(corpus)
    found = [
        [hit.node for hit in open_shelf(opened, shelf).search(["zebra"], 9, None)[0]]
        for shelf in (CAPTIONS, PAGES)
    ]
    assert [[place[1] for place in opened.places(ids).values()] for ids in found] == [[2], [2]]
    assert not any(
        "zebra" in node.text for node in opened.document(opened.documents[0].version).nodes
    )


def test_what_the_model_takes_for_an_ornament_is_kept_as_nothing_and_not_asked_about_again(corpus):
    replies = Replies()
    with ScriptedServer(oracle(lambda asked: {"text": None})) as server:
        made = enrich(corpus, {"captions": model(server, replies)})
        assert (dict(made.told), made.empty) == ({"captions": 1}, 1)
        assert dict(enrich(corpus, {"captions": model(server, Replies())}).told) == {}


@pytest.mark.parametrize("name", [name for name in RECIPES if name != "bm25"])
def test_every_recipe_with_figures_searches_captions_with_the_text(captioned, name):
    """In the place of the picture; the text-only index of `bm25` has no figures."""
    kit = Kit(HashEncoder(dims=128), stand_ins=True)
    ensure(captioned, recipe(name).shelves(kit))
    (hit, *_) = Library(captioned, Settings(), kit, recipe(name)).search("a red zebra chart")
    assert (hit.document, hit.page) == ("a.pdf", 2)


@pytest.mark.parametrize("show", ["page", "node", "entry"])
def test_what_reranks_reads_the_caption_in_its_place(captioned, show):
    shelf = Shelf(Lexical(), (Whole(("figure",)),) if show == "node" else (Pages(),))
    ensure(captioned, (shelf,))
    opened = Corpus(captioned)
    seen = []

    class Scorer:
        def score(self, query, texts):
            seen.extend(texts)
            return [0.5] * len(texts)

    rerank = Rerank(Scorer(), opened, show=show, views=shelf.views)
    assert len((Search(opened, shelf) >> rerank)(Query("zebra")).hits) == 1
    (text,) = seen
    lines = text.split("\n")
    assert lines[-1] == "A red zebra chart."
    if show != "node":
        assert lines[-2] == "Figure 1: Sales by harbour."
