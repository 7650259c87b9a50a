"""How the text of every page of a corpus was read, and which pages may hold more than their text says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pincite.corpus import Corpus
from pincite.document.address import page_name

How = Literal["text", "ocr", "none"]
LITTLE = 20
"""A page with fewer characters is listed as one without text; whether it is blank on purpose cannot be told."""
DOUBTFUL = 0.9
"""OCR that is less sure of a page is doubtful."""


@dataclass(frozen=True, slots=True)
class PageQuality:
    """One page: how its text was read, how sure OCR was of it (1 for a text layer), and what speaks against it.

    `languages` are the codes of those it is written in, its document's where it says too little; `place` is what the page is
    called in its format's own terms.
    """

    document: str
    page: int
    how: How
    sure: float
    characters: int
    tables: int
    suspicion: str = ""
    languages: tuple[str, ...] = ()
    place: str = ""

    @property
    def doubtful(self) -> bool:
        """Whether a person should look at it."""
        suspicious = self.how == "text" and bool(self.suspicion)
        return self.how == "none" or self.sure < DOUBTFUL or suspicious


def quality(corpus: Corpus) -> list[PageQuality]:
    """Every page of a corpus, the worst first: those without text, noise, then by how sure OCR was."""
    pages = []
    for version, page, path, meta, characters, tables in corpus.page_facts():
        if document := corpus.by_version.get(version):
            how, sure, suspicion = _read(meta, characters, tables)
            own = [document.language] if document.language else []
            pages.append(
                PageQuality(
                    document.id, page, how, sure, characters, tables, suspicion,
                    tuple(meta.get("languages", own)), page_name(path, page),
                )
            )  # fmt: skip

    def worst_first(page: PageQuality) -> tuple[object, ...]:
        return page.how != "none", not page.doubtful, page.sure, page.document, page.page

    return sorted(pages, key=worst_first)


def totals(pages: Iterable[PageQuality]) -> dict[str, int]:
    """How many pages there are of each kind, and how many are doubtful."""
    held = list(pages)
    counts = Counter(page.how for page in held)
    counted = {how: counts[how] for how in get_args(How)}
    return {**counted, "doubtful": sum(page.doubtful for page in held)}


def spoken(pages: Iterable[PageQuality]) -> dict[str, int]:
    """How many pages there are of each language, "sv+en" for two side by side, the most common first."""
    read = (page for page in pages if page.languages and page.how != "none")
    return dict(Counter("+".join(page.languages) for page in read).most_common())


def _read(meta: Mapping[str, Any], characters: int, tables: int) -> tuple[How, float, str]:
    """How a page was read, how sure that is, and what speaks against it."""
    suspicion = "; ".join(str(meta[why]) for why in ("suspicion", "lost") if meta.get(why))
    if characters < LITTLE and not tables:
        return "none", 0.0, suspicion or "there is nothing to read on it"
    sure = float(meta.get("seen", 0.0))
    return ("ocr", sure, suspicion) if sure else ("text", 1.0, suspicion)
