"""The pages that the default recipe finds without each of its searches in turn, without the lexicon, and without the names of
documents: what brings nothing need not be searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.data_sets import question_row
from benchmarks.measuring.measurement import ReportedFigure, Work, gold, lines, loaded, readable
from pincite.corpus import Corpus
from pincite.lab.scoring import evaluation as scoring
from pincite.ports import Kit
from pincite.recipes.default import Default
from pincite.records.runfile import FoundPage, document_name
from pincite.search.bilingual_pages import Once
from pincite.search.fusion import WeightedSum
from pincite.search.named_documents import AlsoNamed, PreferNamed
from pincite.settings import Settings
from pincite.stage import Stage, Together
from pincite.types import Example, Query, Ranking
from pincite.workbench.library import Library

SETS = ("mmlongbench", "financebench")
FIGURES = ("page Success@5", "page Success@10")
LEXICON = "as written"
"""What the labels of searches for the lexicon's words end in."""


def measure_searches(work: Work) -> list[ReportedFigure]:
    """Hit rates at 5 and 10 of both sets, in a question's own document and in all."""
    made = []
    for name in SETS:
        own_work = replace(work, name=name, folder=work.folder.parent / name)
        some = readable(loaded(own_work))
        system.index(own_work.source / "pdfs", own_work.corpus)
        library = Library(own_work.corpus, Settings())
        golds = {example.id: gold(example) for example in some}
        for own in (True, False):
            for label, search in variants(library.corpus, library.kit):
                found = pages(library, search, some, own)
                figures = scoring.retrieval_figures(found, golds)
                scope = "own document" if own else "all documents"
                kept = [each for each in figures if each.metric in FIGURES]
                made += lines(f"{name}, {scope}, {label}", kept)
    return made


def variants(corpus: Corpus, kit: Kit) -> Iterator[tuple[str, Stage[Query, Ranking]]]:
    """The pipeline whole, and without each of its parts, with what is left out."""
    recipe = Default()
    searches = recipe.searches(corpus, kit)

    def joined(kept: Sequence[int], named: bool = True) -> Stage[Query, Ranking]:
        join = WeightedSum(weights=tuple(searches[at][0] for at in kept), by="node")
        plain = [searches[at][1] for at in kept]
        if not named:
            return Together(tuple(plain), join=join) >> Once(corpus)
        every = Together(tuple(AlsoNamed(corpus, search) for search in plain), join=join)
        return every >> PreferNamed(weight=recipe.prefer) >> Once(corpus)

    whole = range(len(searches))
    yield "all searches", joined(whole)
    for out, (_, search) in enumerate(searches):
        yield f"without {search.label}", joined([at for at in whole if at != out])
    words = [at for at in whole if not searches[at][1].label.endswith(LEXICON)]
    yield "without the lexicon", joined(words)
    yield "without the names of documents", joined(whole, named=False)


def pages(
    library: Library, search: Stage[Query, Ranking], some: Sequence[Example], own: bool
) -> dict[str, list[FoundPage]]:
    """The best pages for questions, held to their own documents or not."""
    queries = []
    for example in some:
        documents = question_row(example, own).get("doc_ids", ())
        where = (("document", tuple(documents)),) if documents else ()
        queries.append(library.query(example.query.text, where))
    return {
        example.id: [
            FoundPage(document_name(hit.document), hit.page)
            for hit in library.pages(ranking, system.DEPTH)
        ]
        for example, ranking in zip(some, search.run_many(queries), strict=True)
    }
