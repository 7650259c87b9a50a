"""Compositions that several recipes share."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, cast

from pincite.check.standing_draft import Standing
from pincite.corpus import Corpus
from pincite.evidence.drafted_answer import with_earlier
from pincite.generate.rules import Rules
from pincite.generate.shown_pieces import Unit
from pincite.ports import Encoder, Kit, View
from pincite.recipes.model_choice import reader, scorer, standing_in
from pincite.recipes.quote import Quote
from pincite.search.cutoffs import First
from pincite.search.index.dense import Dense
from pincite.search.index.shelf import Shelf
from pincite.search.index.token_windows import TokenWindows
from pincite.search.reranking import Rerank
from pincite.settings import Settings, ruled
from pincite.stage import Escalate, Stage
from pincite.types import Answer, Draft, Kind, Ranking

TEXT: tuple[Kind, ...] = ("heading", "paragraph", "list", "caption", "footnote", "equation")
"""The kinds of node that are text: everything but tables and figures."""


def reranked(
    corpus: Corpus,
    kit: Kit,
    name: str,
    depth: int,
    views: tuple[View, ...] = (),
    first: int | None = None,
    parameter: str = "scorer",
) -> Stage[Ranking, Ranking]:
    """The first `depth` hits by a cross-encoder alone, and of them the `first`; entries of `views` as they were indexed."""
    by = scorer(kit, name, parameter)
    stage = Rerank(by, corpus, depth, 1.0, "entry" if views else "node", views)
    return stage if first is None else stage >> First(first)


def picture_shelves(encoder: Encoder) -> tuple[Shelf, ...]:
    """The pages as pictures, for an encoder that sees them; nothing for any other."""
    if not getattr(encoder, "images", ""):
        return ()
    from pincite.search.index.page_pictures import PagePictures, PictureEncoder, SeeingEncoder

    seeing = cast(SeeingEncoder, encoder)
    return (Shelf(Dense(PictureEncoder(seeing)), (PagePictures(),)),)


@dataclass(frozen=True, slots=True)
class Sure:
    """Whether a draft or an answer has a value with at least this confidence: with none, `Escalate` reads on."""

    threshold: float = 0.0

    def __call__(self, made: Draft | Answer) -> bool:
        """Judge one of them."""
        return made.value is not None and made.confidence >= self.threshold


def reading(
    corpus: Corpus,
    kit: Kit,
    settings: Settings,
    k: int,
    *,
    by: Unit = "passage",
    temperature: float = 0.0,
    rules: Rules | None = None,
    windows: TokenWindows | None = None,
    model: str = "large",
    **more: Any,
) -> Stage[Ranking, Draft]:
    """The large model, or that of another role or name, on the `k` best pieces; or the reader without a model where that may
    stand in: on chunks where the pieces are chunks (of `windows`), else on pages.
    """
    if model == "large" and standing_in(kit, "large"):
        quote = Quote(corpus, k, "chunk" if by == "chunk" else "page", windows, kit.encoder)
        return quote >> Standing(corpus)
    from pincite.generate.line_reading import ReadLines

    more |= {"rules": rules or rules_of(settings), "form": settings.form, "windows": windows}
    large = reader(kit, model)
    return ReadLines(large, corpus, kit.encoder, k, by, temperature=temperature, **more)


def two_stages(
    first: Stage[Ranking, Draft], second: Stage[Ranking, Draft], settings: Settings
) -> Stage[Ranking, Draft]:
    """The second reading only where the first refused, or is less sure than an answer must be."""
    return Escalate(first, second, enough=Sure(settings.threshold), keep=with_earlier)


def rules_of(settings: Settings, own: str = "") -> Rules:
    """How questions are taken, as the settings say; `own` is the set of rules that a recipe brings where they name none."""
    chosen = ruled(settings, own)
    return Rules(**{field.name: getattr(chosen, field.name) for field in fields(Rules)})
