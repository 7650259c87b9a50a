"""From the pages that were found to the passages that a reader is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from pincite.corpus import Corpus, Entryless
from pincite.database.holdings import RELATION
from pincite.database.relations.shaped_values import written
from pincite.evidence.candidate import Passage
from pincite.ingest.tree import section_path
from pincite.search.named_documents import surely_named, sureness
from pincite.text.language import ENGLISH, language_of
from pincite.text.words import plain_words
from pincite.types import Cell, Hit, Node, Ranking, Table

TELLING = 0.5
"""The weight of evidence by which a passage of a page in two languages is in one of them."""
READ = ("paragraph", "list", "table", "heading", "caption", "footnote", "figure", "ocr")


def gather(corpus: Corpus, hits: Sequence[Hit], k: int, code: str = ENGLISH) -> list[Passage]:
    """The passages of the `k` best pages, page by page in reading order; each page once. A row of a database is a page.

    Of a page that says the same in two languages only those in the language `code`, where it has that.
    """
    scores = {hit.node: hit.score for hit in reversed(hits)}
    own = {version for _, (version, _) in corpus.each_place(surely_named(hits))}
    named = surely_by_version(corpus, hits)
    passages = []
    for rank, (found, (version, page)) in enumerate(islice(_pages(corpus, hits), k)):
        document = corpus.by_version[version]
        if _is_row(version):
            nodes = with_tables(corpus, corpus.nodes([found]))
        else:
            nodes = list(corpus.page(version, page))
        languages = (node.meta["languages"] for node in nodes if "languages" in node.meta)
        spoken = next(languages, [document.language])
        apart = bool(own) and version not in own
        for node in once(nodes, code):
            if node.kind in READ:
                about = section_path(node), document.id, titled(document), tuple(spoken)
                sure = named.get(version, 0.0) if named else 1.0
                passages.append(Passage(node, rank, scores[found], *about, apart, named=sure))
    return passages


def titled(document: Entryless) -> str:
    """The title of a document, with its company before it where the cover says one that the title does not name, and the period
    or the year of a company's document or a report.
    """
    title, meta = document.title, document.meta
    company = meta.get("company", "")
    if not company and "kind" not in meta:
        return title
    time = meta.get("period") or meta.get("year") or ""
    named = set(plain_words(company)) <= set(plain_words(title))
    shown = title if named else company
    dated = f"{shown}, {time}" if time and time not in shown else shown
    return dated if named else f"{dated}: {title}"


def surely_by_version(corpus: Corpus, hits: Sequence[Hit]) -> dict[str, float]:
    """The versions of the documents that a question names, how surely beside the surest of them; none where it names none."""
    sure = {hit.node: weight for hit in hits if (weight := sureness(hit))}
    most = max(sure.values(), default=1.0)
    held: dict[str, float] = {}
    for node, (version, _) in corpus.each_place(list(sure)):
        held[version] = max(held.get(version, 0.0), sure[node] / most)
    return held


def _pages(corpus: Corpus, hits: Sequence[Hit]) -> Iterator[tuple[str, tuple[str, int]]]:
    """The first node that was found of each page, with its version and page, best first."""
    seen: set[tuple[str, int | str]] = set()
    for found, place in corpus.each_place(list(dict.fromkeys(hit.node for hit in hits))):
        page = (place[0], found) if _is_row(place[0]) else place
        if page not in seen:
            seen.add(page)
            yield found, place


def _is_row(version: str) -> bool:
    """Whether what stands in a document of this version are rows of a database."""
    return version.startswith(RELATION)


def once(nodes: Sequence[Node], code: str) -> list[Node]:
    """The nodes of a page, without those in another language than `code` when the page says in that language the same."""
    page = next((node for node in nodes if node.kind == "page"), None)
    twofold = page is not None and page.meta.get("parallel") == page.anchor.page
    spoken = page.meta["languages"] if page and twofold else ()
    if code not in spoken:
        return list(nodes)
    return [node for node in nodes if language_of(node.text, spoken, TELLING) in ("", code)]


def tables_on(corpus: Corpus, ranking: Ranking) -> Iterator[tuple[Node, str]]:
    """The tables on the pages of a ranking, best first, with their documents' ids."""
    pages = dict.fromkeys(corpus.places([hit.node for hit in ranking.hits]).values())
    for version, page in pages:
        for node in corpus.page(version, page):
            if node.table is not None:
                yield node, corpus.by_version[version].id


def with_tables(corpus: Corpus, nodes: Sequence[Node]) -> list[Node]:
    """The nodes with every row of a database as a table of one row under the headings of its relation."""
    cards = corpus.nodes_by_id(node.parent for node in nodes if node.kind == "row")
    return [
        _tabled(node, cards[node.parent]) if node.kind == "row" and node.parent in cards else node
        for node in nodes
    ]


def _tabled(row: Node, card: Node) -> Node:
    """The first column with a text, which tells what the row is, before the others; its cells alone are read."""
    pairs = list(zip(card.meta["headings"], row.meta["values"], strict=True))
    pairs.sort(key=lambda pair: not isinstance(pair[1], str))
    top = tuple(Cell(0, at, heading) for at, (heading, _) in enumerate(pairs))
    held = tuple(Cell(1, at, written(value)) for at, (_, value) in enumerate(pairs))
    table = Table((*top, *held), caption=card.anchor.path)
    return replace(row, kind="table", text="", table=table)
