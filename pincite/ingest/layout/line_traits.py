"""What a line of text says about itself, geometry aside: its marker, its rank as a heading, how it joins to the next.

Shared by the page layout (lines with boxes) and by text files (lines only).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from pincite.text.lexicon import pattern, word_set
from pincite.types import Table

_BULLET = pattern("ingest", "bullet", "numbering")
_ITEM = pattern("ingest", "item", "numbering")
_MARKER = pattern("ingest", "marker", "numbering")
_CAPTION = pattern("ingest", "caption", "captions")
_HEADING_NUMBER = pattern("ingest", "heading", "numbering")
_WORD = re.compile(r"\w+(?:-\w+)*")
_NUMERIC = re.compile(
    r"[(\[]?[$\u20ac\u00a3\u00a5+\-\u2212\u2013~<>\u2248]*+\s*+\d[\d,.\s]*+(?:%|[a-zA-Z\u00b5\u00b0/]{0,4}|x|[-\u2212])?[)\]*\u2020\u2021]*|"
    r"[-\u2013\u2014\u2212]|N/?A|n/?a|%|[$\u20ac\u00a3\u00a5]"
)
_HYPHENS = "-\u2010\u00ad"
# First halves of compounds that keep their hyphen when nothing on the page shows either spelling.
_KEEP = word_set("ingest", "hyphenated beginnings")
_TERMINAL = re.compile(
    r"[.!?:;\u2026\u3002][\"'\u201d\u2019)\]]*$|[^\W\d][.!?][\"'\u201d\u2019)\]]*(?:\d{1,2}|\[\d+\])$"
)


def is_item(text: str) -> bool:
    """Whether a line opens with a bullet or an enumerator such as "(a)" or "3."."""
    return bool(_ITEM.match(text))


def is_marker(text: str) -> bool:
    """Whether a text is nothing but the marker of an item or heading: a bullet, "(a)", "3.1", "Item 7A."."""
    return bool(_MARKER.fullmatch(text))


def is_bullet(text: str) -> bool:
    """Whether a line opens with a bullet."""
    return bool(_BULLET.match(text))


def is_caption(text: str) -> bool:
    """Whether a text opens as a caption does: "Table 3.", "Figure 2:", "Exhibit 4 Sales"; not "Figure 2 shows"."""
    return bool(_CAPTION.match(text))


def ends_sentence(text: str) -> bool:
    """Whether a text ends with a stop or a colon (a footnote mark after it allowed)."""
    return bool(_TERMINAL.search(text))


def is_numeric(token: str) -> bool:
    """Whether a token is a number as a table cell holds it, with sign, currency, brackets, percent or a short unit."""
    return bool(_NUMERIC.fullmatch(token))


def numbering(text: str) -> int:
    """How deep a heading's numbering says it is: 0 "PART I", 1 "Item 7", 2 none or "3", 3 "3.1", 4 "3.1.2"."""
    found = _HEADING_NUMBER.match(text)
    if found is None:
        return 2
    if found["part"] or found["chapter"]:
        return 0 if found["part"] else 1
    return 2 + (found["dots"] or found["letter"]).count(".")


def is_numbered(text: str) -> bool:
    """Whether a text opens as a numbered heading: "3.1 Method", "Item 7. Risk", "Appendix B"."""
    return bool(_HEADING_NUMBER.match(text))


def looks_tabular(text: str) -> bool:
    """Whether a line without geometry looks like a row of a table: numbers with a short label, or two at its end."""
    if len(text) > 250 or not any(map(str.isdigit, text)):
        return False
    numbers = list(map(is_numeric, text.split()))
    count = sum(numbers)
    return count >= 2 and (count >= 0.4 * len(numbers) or all(numbers[-2:]))


def known_words(text: str) -> frozenset[str]:
    """The words of a text in lower case: what is hyphenated at the end of a line may be one of them."""
    return frozenset(_WORD.findall(text.lower()))


def joined(
    lines: Sequence[str], known: frozenset[str], breaks: Sequence[bool] = ()
) -> tuple[str, tuple[int, ...]]:
    """Lines as one text, and the offset of each line in it.

    Lines are joined by a space, or by a line break before each line whose entry in `breaks` is true. A hyphen at the
    end of a line goes when the word goes on in lower case, unless the hyphenated word itself is in `known` (the words
    of the page, lower-cased) and the joined one is not, or its first half is one that usually keeps it ("long-term").
    """
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    for index, line in enumerate(lines):
        if index:
            previous = parts[-1]
            if breaks and breaks[index]:
                glue = "\n"
            elif previous[-1:] in _HYPHENS and previous[-2:-1].isalpha() and line[:1].isalnum():
                glue = ""
                if _drops_hyphen(previous, line, known):
                    parts[-1] = previous[:-1]
                    at -= 1
            else:
                glue = " "
            if glue:
                parts.append(glue)
                at += 1
        starts.append(at)
        parts.append(line)
        at += len(line)
    return "".join(parts), tuple(starts)


def _drops_hyphen(previous: str, line: str, known: frozenset[str]) -> bool:
    if previous[-1] == "\u00ad":
        return True
    if not line[0].islower():
        return False
    head = re.split(r"[^\w-]+", previous[:-1])[-1].lower()
    rest = re.split(r"[^\w-]", line, maxsplit=1)[0].lower()
    if head + rest in known:
        return True
    return f"{head}-{rest}" not in known and head not in _KEEP and "-" not in head


def table_text(table: Table) -> str:
    """A table as lines of text, one a row, its cells in order with " | " between; a spanning cell stands once."""
    rows: defaultdict[int, list[str]] = defaultdict(list)
    for cell in sorted(table.cells, key=lambda cell: (cell.row, cell.column)):
        if words := cell.text.split():
            rows[cell.row].append(" ".join(words))
    return "\n".join(map(" | ".join, rows.values()))
