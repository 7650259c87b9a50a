"""Pages found by how they look: what an encoder that sees is sent over HTTP, what that costs, and what is found."""

import base64
import io
import json
import struct
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pincite.errors import ModelError
from pincite.formats.spell import spell
from pincite.indexing import index
from pincite.ingest.ocr.ocr_settings import OcrSettings
from pincite.models.endpoints.embeddings import EmbeddingsEndpoint, picture_tokens
from pincite.models.endpoints.endpoint_limits import Patience
from pincite.models.kit import default_kit
from pincite.models.model_names import named_encoder
from pincite.models.model_settings import ModelSettings
from pincite.recipes.default import Default
from pincite.recipes.kohaku import Kohaku
from pincite.search.index.page_pictures import PIXELS, PagePictures
from pincite.settings import Settings, load
from pincite.storage.ledger import Ledger, Price
from pincite.types import Query
from pincite.workbench.estimate import PICTURE_TOKENS, estimate_encoding
from pincite.workbench.library import Library
from tests.stand_ins.fakes import Reply, ScriptedServer, failure

COLOURS = {"red": 0, "green": 1, "blue": 2}
DEFAULT = Default()
PRICE = Price(Decimal(2), Decimal(0))


def seen(png):
    """The direction of a picture's colour: the mean of its pixels, without white."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert image.width * image.height <= PIXELS
    small = [pixel for pixel in image.resize((20, 20)).get_flattened_data() if min(pixel) < 128]
    return [sum(pixel[channel] for pixel in small) + 1.0 for channel in range(3)] + [0.0]


def said(text):
    """The direction of the colour that a text names; of none the fourth."""
    named = [COLOURS[word] for word in text.lower().split() if word in COLOURS]
    return [float(axis in named or axis == 3 and not named) for axis in range(4)]


def reply(rows, tokens):
    data = [{"index": at, "embedding": row} for at, row in enumerate(rows)]
    return Reply({"object": "list", "data": data, "usage": {"total_tokens": tokens}})


class Seeing:
    """An endpoint with one space for texts and pictures, as Jina documents its own; `asked` are the bodies that came."""

    def __init__(self):
        self.asked = []

    def __call__(self, asked):
        self.asked.append(asked.body)
        if "messages" in asked.body:
            url = asked.body["messages"][0]["content"][0]["image_url"]["url"]
            assert url.startswith("data:image/png;base64,")
            return reply([seen(base64.b64decode(url.partition(",")[2]))], 700)
        rows = [
            said(given) if isinstance(given, str) else seen(base64.b64decode(given["image"]))
            for given in asked.body["input"]
        ]
        return reply(
            rows, sum(9 if isinstance(given, str) else 700 for given in asked.body["input"])
        )

    @property
    def pictures(self):
        """How many pictures came in each request that had some."""
        return [len(body["input"]) for body in self.asked if isinstance(body["input"][0], dict)]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three pages that say the same and differ by the colour of a picture, and a text without pages to draw."""
    folder = tmp_path_factory.mktemp("pictures")
    canvas = Canvas(str(folder / "harbours.pdf"), pagesize=(400, 400))
    for colour in ((200, 20, 20), (20, 200, 20), (20, 20, 200)):
        chart = ImageReader(Image.new("RGB", (60, 30), colour))
        canvas.drawString(
            40, 380, "Sales of the harbours are shown in the chart of this page below."
        )
        canvas.drawImage(chart, 50, 60, 300, 250)
        canvas.showPage()
    canvas.save()
    (folder / "notes.txt").write_text("Minutes of a meeting, at which nothing was decided.")
    return folder


def encoder_at(server, **more):
    given = {
        "images": "input",
        "size": 4,
        "key": "",
        "price": PRICE,
        "patience": Patience(tries=2, first=0.01),
    }
    return EmbeddingsEndpoint("sees", server.url, **{**given, **more})


def indexed(files, folder, encoder, recipe=DEFAULT):
    """A library whose corpus was indexed with the encoder."""
    kit = replace(default_kit(), encoder=encoder, stand_ins=True)
    index([files], folder, recipe.shelves(kit), ocr_settings=OcrSettings("off"))
    return Library(folder, Settings(), kit, recipe)


def test_a_page_is_found_by_how_it_looks(files, tmp_path):
    script = Seeing()
    with ScriptedServer(other=script) as server:
        library = indexed(files, tmp_path / "corpus", encoder_at(server, document_task="passage"))
        assert script.pictures == [3]  # the text file has no page to draw
        (body,) = [body for body in script.asked if isinstance(body["input"][0], dict)]
        assert (
            body["task"] == "passage"
            and body["dimensions"] == 4
            and set(body["input"][0]) == {"image"}
        )
        for number, colour in enumerate(COLOURS, 1):
            best = library.search(f"Where is the {colour} chart ?")[0]
            assert (best.document, best.page) == ("harbours.pdf", number)
        (files / "more.txt").write_text("Something else that was decided.")
        indexed(files, tmp_path / "corpus", encoder_at(server, document_task="passage"))
        (files / "more.txt").unlink()
        assert script.pictures == [3]  # kept, not drawn and paid for again


def test_without_the_setting_no_picture_is_sent_and_no_index_made(files, tmp_path):
    script = Seeing()
    with ScriptedServer(other=script) as server:
        blind = encoder_at(server, images="")
        indexed(files, tmp_path / "corpus", blind)
        assert script.pictures == []
        assert blind.revision == encoder_at(server).revision  # the texts' vectors are the same
    shelves = Default().shelves(replace(default_kit(), encoder=blind))
    assert not any("PagePictures" in spell(shelf) for shelf in shelves)


def test_kohaku_puts_pages_by_how_they_look_behind_what_its_words_found(files, tmp_path):
    script, recipe = Seeing(), Kohaku(encoder="built-in", rerank=False, rephrasings=0, show="page")
    with ScriptedServer(other=script) as server:
        library = indexed(files, tmp_path / "corpus", encoder_at(server), recipe)
        ranking = library._find(Query("the blue one"))
        assert script.pictures == [3]
        pages = library.corpus.places([hit.node for hit in ranking.hits])
        assert 3 in [pages[hit.node][1] for hit in ranking.hits]
        none = Kohaku(encoder="built-in", k_pictures=0)
        assert len(none.shelves(library.kit)) == 2 and len(recipe.shelves(library.kit)) == 3


def test_what_pictures_cost_is_estimated_before_and_booked_after(files, tmp_path):
    script, ledger = Seeing(), Ledger()
    with ScriptedServer(other=script) as server:
        encoder = encoder_at(server, ledger=ledger)
        indexed(files, tmp_path / "corpus", encoder_at(server, images="", ledger=Ledger()))
        shelves = Default().shelves(replace(default_kit(), encoder=encoder))
        texts, pictures = estimate_encoding(tmp_path / "corpus", shelves)
        assert (texts.texts, texts.cost) == (0, 0)
        assert (pictures.pictures, pictures.tokens) == (3, 3 * PICTURE_TOKENS)
        assert pictures.cost == PRICE.input * 3 * PICTURE_TOKENS / 1_000_000
        assert ledger.total().requests == 0 and script.pictures == []
        indexed(files, tmp_path / "corpus", encoder)
        assert ledger.total().usage.input == 3 * 700
        assert ledger.total().cost == PRICE.input * 3 * 700 / 1_000_000
        assert [row.offline for row in ledger.rows("offline")] == [True]
        assert estimate_encoding(tmp_path / "corpus", shelves)[1].pictures == 0


def test_the_command_line_estimates_and_books_in_the_ledger_of_the_corpus(
    files, tmp_path, monkeypatch, pincite
):
    script = Seeing()
    with ScriptedServer(other=script) as server:
        monkeypatch.setenv(
            "PINCITE_ENCODER", f"openai:sees?base_url={server.url}&size=4&images=yes"
        )
        corpus = str(tmp_path / "corpus")
        assert pincite("index", str(files), "--corpus", corpus)[0] == 0
        assert script.pictures == [3]
        code, out, _ = pincite("index", "--corpus", corpus, "--dry-run", "--json")
        rows = json.loads(out)
        assert [(row["encoder"], row["texts"], row["pictures"]) for row in rows] == [
            ("sees", 0, 0), ("sees of pictures", 0, 0),
        ]  # fmt: skip
        assert Ledger(Path(corpus) / "ledger.sqlite").total().usage.input >= 3 * 700


def test_pictures_in_the_form_of_vllm():
    script = Seeing()
    with ScriptedServer(other=script) as server:
        encoder = encoder_at(server, images="messages", size=0)
        png = io.BytesIO()
        Image.new("RGB", (56, 29), (200, 20, 20)).save(png, "PNG")
        rows = encoder.encode_pictures([png.getvalue()] * 2)
        assert rows.shape == (2, 4) and rows[0].argmax() == 0
        assert len(script.asked) == 2 and all("input" not in body for body in script.asked)
        assert picture_tokens(png.getvalue()) == 2 * 2 + 4


def test_too_many_pictures_at_once_go_apart_and_one_that_is_too_large_is_told():
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 56, 56)
    few = {"most": 2}

    def narrow(asked):
        if len(asked.body["input"]) > few["most"]:
            return failure(413, "request too large")
        return reply([[1.0, 0.0, 0.0, 0.0]] * len(asked.body["input"]), 0)

    with ScriptedServer(other=narrow) as server:
        encoder = encoder_at(server)
        assert encoder.encode_pictures([png] * 5).shape == (5, 4)
        # no tokens were reported: 2 x 2 squares and 4 marks are booked for each
        assert encoder.ledger.total().cost == PRICE.input * 5 * 8 / 1_000_000
        few["most"] = 0
        with pytest.raises(ModelError, match="too long"):
            encoder.encode_pictures([png])


def test_what_the_option_may_be():
    named = named_encoder("openai:sees?images=yes", ModelSettings())
    assert named.images == "input"
    assert named_encoder("openai:sees?images=no", ModelSettings()).images == ""
    with pytest.raises(Exception, match="must be yes, no, or the form"):
        named_encoder("openai:sees?images=true", ModelSettings())
    assert load(environment={}).models.encoder == "" and PagePictures() == PagePictures()
