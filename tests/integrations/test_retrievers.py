"""The retrievers inside the real LangChain and LlamaIndex: pages with places that hold."""

import asyncio
import json
import os
import re
from pathlib import Path

import pytest

from pincite.integrations.text_pieces import citation_of, pieces
from pincite.settings import Settings
from pincite.workbench.library import Library, index

QUESTION = "income tax expense"
WHERE = (("document", ("halvorsen-annual-report-2023.pdf",)),)


def test_pieces_are_json_and_every_part_says_where_it_stands(library):
    found = pieces(library, QUESTION, 3)
    assert json.loads(json.dumps([one.metadata for one in found]))
    assert [
        one.metadata["page"] for one in found if one.metadata["document"].startswith("halvorsen")
    ][0] == 3
    for one in found:
        assert all(
            one.text[part["start"] : part["end"]].strip() for part in one.metadata["passages"]
        )
        assert all(part["box"] for part in one.metadata["passages"])


def test_a_quote_is_cited_at_its_cell_as_the_answer_is(library):
    answer = library.ask("What was the income tax expense in 2023?")
    (cited,) = answer.citations
    (piece, *_) = [one for one in pieces(library, QUESTION, 5, WHERE) if one.metadata["page"] == 3]
    told = citation_of("(11,706)", piece.text, piece.metadata)
    assert (told["document"], told["page"], told["place"]) == (cited.document, 3, "page 3")
    assert (
        told["box"] == pytest.approx(cited.anchor.spots[0][1])
        and told["source"] == cited.anchor.source
    )
    prose = next(part for part in piece.metadata["passages"] if part["kind"] == "heading")
    said = piece.text[prose["start"] : prose["end"]]
    assert citation_of(said, piece.text, piece.metadata)["box"] == prose["box"]
    assert citation_of("no such words stand here", piece.text, piece.metadata) is None


def test_what_has_no_pages_is_cited_in_its_own_terms(tmp_path):
    (tmp_path / "a.csv").write_text(
        "Costs of the plant;;\n;2023;2022\nWages;12,5;11,0\nRent;7,0;6,5\n"
    )
    index(tmp_path / "a.csv", tmp_path / "corpus")
    (piece,) = pieces(Library(tmp_path / "corpus", Settings()), "wages", 1)
    assert citation_of("11,0", piece.text, piece.metadata)["place"] == "cells C3"
    assert piece.metadata["place"].startswith("cells") or piece.metadata["place"] == "the text"


def test_langchain_retrieves_and_cites(library):
    langchain = pytest.importorskip(
        "pincite.integrations.langchain", reason="langchain-core is not installed"
    )
    from langchain_core.runnables import RunnableLambda

    retriever = langchain.LangChainRetriever(library=library, k=2, where=WHERE)
    found = retriever.invoke(QUESTION)
    assert 0 < len(found) <= 2 and {one.metadata["document"] for one in found} == {
        "halvorsen-annual-report-2023.pdf"
    }
    assert asyncio.run(retriever.ainvoke(QUESTION)) == found
    chain = retriever | RunnableLambda(
        lambda held: [langchain.cite("(11,706)", one) for one in held]
    )
    assert [one["place"] for one in chain.invoke(QUESTION) if one] == ["page 3"]
    assert retriever.batch([QUESTION, "employees"])[0] == found


def test_llamaindex_retrieves_and_cites(library):
    llamaindex = pytest.importorskip(
        "pincite.integrations.llamaindex", reason="llama-index-core is not installed"
    )
    from llama_index.core.schema import MetadataMode

    found = llamaindex.LlamaIndexRetriever(library, k=2, where=WHERE).retrieve(QUESTION)
    assert 0 < len(found) <= 2 and found[0].score >= found[-1].score
    shown = found[0].node.get_content(MetadataMode.LLM)
    assert "passages" not in shown and "document: halvorsen-annual-report-2023.pdf" in shown
    cited = [one for one in (llamaindex.cite("(11,706)", each) for each in found) if one]
    assert [one["place"] for one in cited] == ["page 3"]


@pytest.mark.parametrize("name", ["langchain", "llamaindex"])
def test_the_code_of_its_page_runs(name, tmp_path, monkeypatch, capsys, examples):
    pytest.importorskip(
        f"pincite.integrations.{name}", reason=f"the package of {name} is not installed"
    )
    page = (Path(__file__).parent.parent.parent / "docs" / "how-to" / f"{name}.md").read_text(
        encoding="utf-8"
    )
    os.symlink(examples, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```python\n(.*?)```", page, re.S):
        exec(compile(block, name, "exec"), {})
    told = capsys.readouterr().out.splitlines()
    assert told[1].startswith("halvorsen-annual-report-2023.pdf page 3 [")
