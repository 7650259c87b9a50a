"""Test sets made from a corpus itself: questions whose gold answer and place are known because they were made from there.

Without a model they are sentences with a gap (`cloze`) and look-ups of table cells (`lookup`): any corpus can be measured at
once, and equal seeds give equal questions. With a model they are what it asks about windows of text and about tables
(`written`, after Tran and Larsson, 2026, section 4.3). A question does not say in which document it is to be looked up but
names it, as people do; `source` tells where it comes from and how it was made.
"""

from __future__ import annotations

from typing import Literal

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.lab.testsets.cell_lookups import lookups
from pincite.lab.testsets.cloze import cloze
from pincite.lab.testsets.gold_rows import Row, take_turns

What = Literal["documents", "tables"]


def generated(corpus: Corpus, what: What, n: int, seed: int = 0) -> list[Row]:
    """Up to `n` questions without a model, as lines of a question file; the documents take turns.

    Raises UsageError when the corpus holds nothing to ask about.
    """
    make = {"documents": cloze, "tables": lookups}[what]
    made = take_turns(corpus, make, n, seed)
    if not made:
        wanted = {
            "documents": "sentences with a number or a name",
            "tables": "tables with headers and numbers",
        }[what]
        by_model = (
            ". Questions about tables of databases are written by a model: name one with --model"
            if what == "tables" and corpus.relations
            else ""
        )
        raise UsageError(
            f"nothing to ask about in the corpus {corpus.folder}: it holds no {wanted}{by_model}"
        )
    return made
