"""How sentences give reasons: the words that a reason stands behind or before, from data/asking.toml."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache

from pincite.document.sentences import TokenizedText
from pincite.document.words import STOP
from pincite.question.asking import load_asking


def goes_back(text: str) -> bool:
    """Whether a sentence begins with what says that its reason stands before it ("As a result, ...")."""
    asking, text = load_asking(), text.lstrip()
    return asking.before.match(text) is not None and asking.behind.match(text) is None


def reasoned(
    reading: TokenizedText, span: tuple[int, int], part: tuple[int, int], key: Container[str]
) -> float:
    """The share of a sentence's words for what a reason has brought about that are in `key`; 0 where the span has no reason.

    `span` and `part`, the sentence, are tokens [first, last); a span may begin in the sentence before.
    """
    first, last = part
    offset = reading.starts[first]
    best = 0.0
    for begin, stop, behind in _cues(reading.text[offset : reading.ends[last - 1]]):
        at, beyond = reading.token_at(offset + begin), reading.token_at(offset + stop - 1) + 1
        if not behind:
            if span[0] < at:
                best = max(best, _share(reading.stems[beyond:last], key))
        elif span[0] <= beyond < span[1]:
            comma = (
                reading.text.find(",", offset + stop, reading.ends[last - 1])
                if at - first <= 2
                else -1
            )
            brought = (
                reading.stems[first:at]
                if comma < 0
                else reading.stems[reading.token_at(comma) + 1 : last]
            )
            best = max(best, _share(brought, key))
    return best


@lru_cache(maxsize=512)
def _cues(text: str) -> tuple[tuple[int, int, bool], ...]:
    """The characters of each cue of a sentence, and whether the reason stands behind it."""
    asking = load_asking()
    behind = [(*match.span(), True) for match in asking.behind.finditer(text)]
    starts = {start for start, *_ in behind}
    return (
        *behind,
        *(
            (*match.span(), False)
            for match in asking.before.finditer(text)
            if match.start() not in starts
        ),
    )


def _share(held: Sequence[str], key: Container[str]) -> float:
    content = [stem for stem in held if stem not in STOP]
    return sum(stem in key for stem in content) / max(3, len(content))
