"""What a recipe's reader is given (chunks, sentences, pages) and what its index of rows covers, by requests over HTTP."""

import re
import sqlite3
from dataclasses import replace

import pytest

from pincite.corpus import Corpus
from pincite.generate import line_reading
from pincite.generate.shown_pieces import pieces_of
from pincite.indexing import Wanted, ensure
from pincite.lines.making import lines_of
from pincite.models.kit import default_kit
from pincite.recipes import recipe
from pincite.recipes.model_choice import replaced
from pincite.settings import Settings
from pincite.workbench.library import Library, index
from tests.served import serving
from tests.stand_ins.fakes import oracle

REPORT = """# Alloys

The works in Falun make five alloys. Bergit is the hardest of them.

| Alloy | Furnace |
|---|---|
| Bergit | F3 |
| Lumol | F7 |

The works were founded in 1899. They stand by the river.
"""
ASKED = "What is the density of Lumol?"
TWO_DOMAINS = ["baseline", "simple-fusion", "late-fusion", "weighted-fusion"]
BUILT_IN = {"encoder": "built-in", "rerank": False}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A report with a table, and a database of two materials."""
    folder = tmp_path_factory.mktemp("two") / "corpus"
    (folder.parent / "alloys.md").write_text(REPORT)
    database = folder.parent / "lab.db"
    with sqlite3.connect(database) as made:
        made.execute("CREATE TABLE materials (name TEXT PRIMARY KEY, density INTEGER)")
        made.executemany(
            "INSERT INTO materials VALUES (?, ?)", [("Bergit", 7421), ("Lumol", 2754)]
        )
    index([folder.parent / "alloys.md"], folder, databases=[Wanted(str(database))])
    return folder


def made(name, **more):
    weigher = {"weigher": "built-in"} if name == "weighted-fusion" else {}
    return recipe(name, **{**BUILT_IN, **weigher, **more})


def opened(corpus, chosen, settings):
    ensure(corpus, chosen.shelves(Library(corpus, settings, recipe=chosen).kit))
    return Library(corpus, settings, recipe=chosen)


@pytest.fixture
def read(monkeypatch):
    """What the lines of each piece of the last reading say."""
    texts = []

    def seeing(*given):
        made = pieces_of(*given)
        texts[:] = [" ".join(line.text for line in lines_of(piece)) for piece in made]
        return made

    monkeypatch.setattr(line_reading, "pieces_of", seeing)
    return texts


def asked(corpus, chosen, script):
    """The answer, and what the model was shown for it."""
    with serving(script) as (server, settings):
        library = opened(corpus, chosen, settings)
        answer = library.outcome(library.query(ASKED, (), "number")).answer
    return answer, server.asked[-1].said("user").split("Question:")[0]


def of_row(request):
    """A model that reads Lumol's density off the row that it is shown."""
    found = re.search(r"^(\d+) Lumol: .*2754", request.said("user"), re.M)
    return {"lines": [int(found[1])], "value": "2754"} if found else None


@pytest.mark.parametrize("name", TWO_DOMAINS)
def test_an_index_of_rows_can_cover_those_of_databases_alone(corpus, name):
    library = opened(corpus, made(name, tables="database"), Settings())
    hits = library.recipe.find(library.corpus, library.kit)(library.query("Bergit Lumol")).hits
    kinds = [
        (node.kind, node.table is not None)
        for node in library.corpus.nodes([hit.node for hit in hits])
    ]
    assert sorted(kinds) == [("page", False), ("row", False), ("row", False)]
    *_, rows = library.recipe.shelves(library.kit)
    if name != "baseline":
        documents = [library.corpus.document(one.version) for one in library.corpus.documents]
        assert [rows.entries(one) for one in documents if one.id == "alloys.md"] == [[]]
        assert sum(len(rows.entries(one)) for one in documents) == 2
    # the tables of documents stay in the windows, as they are nowhere else
    windows = library.recipe.views(library.kit)[0]
    assert windows.without == () and made(name).views(library.kit)[0].without == ("table",)


@pytest.mark.parametrize("name", TWO_DOMAINS)
def test_a_row_of_a_database_is_read_cited_and_checked(corpus, read, name):
    answer, shown = asked(corpus, made(name, tables="database", top_n=2), oracle(of_row))
    assert answer.value.value == 2754 and [one.verdict for one in answer.checks] == ["supported"]
    (cited,) = answer.citations
    assert cited.anchor.sql is not None and cited.quote == "2754"
    assert len(read) == 2 and "Lumol: density = 2754" in shown


def test_windows_and_rows_are_read_themselves_or_as_their_pages(corpus, read):
    chunk = {"chunk": 16, "overlap": 0, "top_k": 3, "top_n": 3}
    asked(corpus, made("baseline", **chunk), oracle(of_row))
    assert len(read) == 3 and not any("Falun" in one and "river" in one for one in read)
    rows = [one for one in read if "Furnace" in one]
    assert rows and not any("Bergit: " in one and "Lumol: " in one for one in rows)
    asked(corpus, made("baseline", **chunk, context="page"), oracle(of_row))
    whole = [one for one in read if "Falun" in one]
    assert not whole or "river" in whole[0] and "Bergit: Furnace = F3" in whole[0]
    assert any("Bergit: " in one and "Lumol: " in one for one in read)


def test_parent_pages_can_be_switched_off(corpus, read):
    """The winner of the challenge: chunks lead to pages that are judged and read; without that chunks are."""
    given = {"encoder": "built-in", "chunk": 16, "overlap": 0, "scope": False, "decompose": False}
    judged = oracle(
        lambda request: (
            {"judgements": [{"piece": at, "reasoning": "", "relevance": 0.5} for at in (1, 2, 3)]}
            if "judgements" in request.schema["properties"]
            else None
        )
    )
    with serving(judged) as (server, settings):
        library = opened(corpus, recipe("enterprise", **given, k=4), settings)
        library.ask(ASKED)
        pages, whole = [one.said("user") for one in server.asked], list(read)
        chosen = recipe("enterprise", **given, k=4, context="chunk")
        library = Library(corpus, settings, recipe=chosen)  # the same indexes
        outcome = library.outcome(library.query(ASKED))
        chunks = [one.said("user") for one in server.asked[len(pages) :]]
    assert not any(span.stage.startswith("Expand(") for span in outcome.trace)
    assert len(whole) == 1 and "Falun" in whole[0] and "river" in whole[0]
    assert len(read) == 3 and not any("Falun" in one and "river" in one for one in read)
    judging = [one for one in chunks if one.count("=== ") and one != chunks[-1]]
    assert judging


@pytest.mark.parametrize(("show", "inside", "outside"), [
    ("sentence", "Bergit is the hardest of them.", "The works in Falun"),
    ("paragraph", "The works in Falun make five alloys.", "river"), ("page", "They stand by the river.", "2754"),
])  # fmt: skip
def test_sentences_lead_to_what_is_shown(corpus, show, inside, outside):
    more = {"encoder": "built-in", "rerank": False, "rephrasings": 0, "bm25": False, "runs": 1}
    chosen = recipe("kohaku", **more, widths="1", k=1, show=show)
    with serving(oracle(lambda request: None)) as (server, settings):
        library = opened(corpus, chosen, settings)
        library.ask("Is Bergit the hardest of them?", (("document", ("alloys.md",)),))
    shown = server.asked[-1].said("user").split("Question:")[0]
    assert inside in shown and outside not in shown


def test_without_a_model_the_same_chunks_are_read(corpus):
    kit = replace(default_kit(), stand_ins=True)
    found = {}
    for context in ("chunk", "page"):
        chosen = made("baseline", chunk=16, overlap=0, top_n=1, context=context)
        ensure(corpus, chosen.shelves(kit))
        library = Library(corpus, Settings(threshold=0.0), kit, chosen)
        assert replaced(chosen, kit) == ("the reader without a model for the large model",)
        read = library.ask("When were the works founded?", (("document", ("alloys.md",)),)).read
        found[context] = {node.kind for node in Corpus(corpus).nodes(read)}
    assert found["chunk"] < found["page"]
