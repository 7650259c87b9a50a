"""Enumerations: the items of a series in a sentence ("A, B and C") and of a marked list, each item complete. Commas do not show
where the first item of a series begins and where the last one ends: several readings are proposed, each with the similarity of
its items. A list is read only where it is closed: a series by "and" or "or", or by the end of its brackets or of the sentence
behind a colon; a list with marks by the end of its block.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial

from pincite.document.sentences import TokenizedText
from pincite.lexicon import word_set
from pincite.readers.names import is_capitalised

Items = tuple[tuple[int, int], ...]
"""The items of a list, each as tokens [first, last)."""
MOST = 24
"""Items of the longest list."""
WIDE = 14
"""Tokens of the longest item of a series."""
HEAD = 8
"""Words of the longest item of a marked list that is taken whole."""
_AND = word_set("readers", "and")
_BREAK = re.compile(r"[:\"“”|]|[.?!](?=\s|$)|\s[–-]\s|—|\n\s*\n")
_OPEN_BREAK = re.compile(r"[:(]|\s[–-]\s|—")
_AMPERSAND = re.compile(r"\s&\s")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_MARK = re.compile(
    r"^[ \t]*(?:[-*•●▪■◦–]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])[ \t]+", re.MULTILINE
)
_HEAD_ENDS = re.compile(r"[:;(.]|\s[–-]\s|—")
_LEADS = word_set("readers", "list openings")
_TRAILS = word_set("readers", "list ends")
_DETERMINERS = word_set("readers", "determiners")
_JOINERS = word_set("readers", "joiners")


def series(reading: TokenizedText, first: int, last: int) -> Iterator[Items]:
    """The series of tokens [first, last): every reading of every enumeration that is closed there."""
    for part in _parts(reading, first, last):
        yield from _readings(reading, part)


def bullets(reading: TokenizedText, start: int, end: int) -> Items:
    """The items of the list with a mark before each in characters [start, end); () where there are no two, or one is empty."""
    marks = list(_MARK.finditer(reading.text, start, end))
    if not 2 <= len(marks) <= MOST:
        return ()
    stops = [*(mark.start() for mark in marks[1:]), end]
    items = []
    for mark, stop in zip(marks, stops, strict=True):
        first, last = bisect_left(reading.starts, mark.end()), bisect_left(reading.starts, stop)
        if first >= last:
            return ()
        items.append(_head(reading, first, last))
    return tuple(items)


def _head(reading: TokenizedText, first: int, last: int) -> tuple[int, int]:
    """An item of a marked list: whole where it is short, else up to its first break; without an "and" behind it."""
    if last - first > 1 and reading.raw(last - 1).lower() in _AND:
        last -= 1
    if last - first <= HEAD:
        return first, last
    return first, next(
        (at for at in range(first + 1, last) if _HEAD_ENDS.search(reading.between(at))), last
    )


def _parts(reading: TokenizedText, first: int, last: int) -> Iterator[Items]:
    """The pieces between the separators of each enumeration: the first with all that leads in, the last with all that follows."""
    pieces: list[tuple[int, int]] = []
    start, closed = first, False
    apart = _brackets(reading, first, last)
    for token in range(first, last + 1):
        mark = "end" if token == last or token in apart else _separator(reading, first, token)
        if not mark:
            continue
        if start < token:
            pieces.append((start, token))
        if closed or mark == "end":
            yield from _closed(reading, pieces, closed, first)
            # a second "and" ends the series before it; its last item may begin another
            pieces, closed = pieces[-1:] if mark in ("and", "&") else [], False
        closed = closed or mark in ("and", "&")
        start = token + (mark == "and")


def _separator(reading: TokenizedText, first: int, token: int) -> str:
    """What parts a token from what stands before it: "end", "and" (the token itself), "&", "," or ""."""
    between = "" if token == first else reading.between(token)
    if _BREAK.search(between):
        return "end"
    if reading.raw(token).lower() in _AND:
        return "and"
    if _AMPERSAND.search(between):
        return "&"
    return "," if "," in between or ";" in between else ""


def _brackets(reading: TokenizedText, first: int, last: int) -> frozenset[int]:
    """The tokens behind the brackets that hold an enumeration; what is in others belongs to its item."""
    start, end = reading.starts[first], reading.ends[last - 1]
    held = [
        match
        for match in _BRACKETS.finditer(reading.text, start, end)
        if "," in match[0] or ";" in match[0]
    ]
    return frozenset(
        reading.token_at(at) + 1 for match in held for at in (match.start(), match.end() - 1)
    )


def _closed(
    reading: TokenizedText, pieces: Sequence[tuple[int, int]], closed: bool, first: int
) -> Iterator[Items]:
    if not 2 <= len(pieces) <= MOST:
        return
    begin = pieces[0][0]
    led = begin > first and _OPEN_BREAK.search(reading.between(begin))
    if closed or (led and len(pieces) > 2):
        yield tuple(pieces)


def _readings(reading: TokenizedText, pieces: Items) -> Iterator[Items]:
    """A series whole and from every later piece on that leaves two, as far as its items are short enough."""
    long = [at for at, (first, last) in enumerate(pieces[:-1]) if last - first > WIDE]
    for start in range(max(long, default=0), len(pieces) - 1):
        if 1 < start < len(pieces) - 2:
            continue  # the whole, without its first, or the last two
        inner = [bare(reading, *piece) for piece in pieces[start + 1 : -1]]
        for opened in _first_items(reading, *pieces[start]):
            for ending in _last_items(reading, *pieces[-1]):
                yield (opened, *inner, ending)


def bare(reading: TokenizedText, first: int, last: int) -> tuple[int, int]:
    """An item without the determiners before it."""
    while first < last - 1 and reading.raw(first).lower() in _DETERMINERS:
        first += 1
    return first, last


def _first_items(reading: TokenizedText, first: int, last: int) -> list[tuple[int, int]]:
    """Where the first item of a series may begin: behind a word that leads in, at its run of names, with the piece."""
    starts = [
        token + 1 for token in range(first, last - 1) if reading.raw(token).lower() in _LEADS
    ][-3:]
    if (named := _names_from(reading, first, last)) < last:
        starts.append(named)
    starts += [first, last - 1, last - 2]
    starts = [start for start in starts if first <= start < last <= start + WIDE]
    whole = (start for start in starts if not _within(reading, start, first, last))
    return list(dict.fromkeys(bare(reading, start, last) for start in whole))


def _last_items(reading: TokenizedText, first: int, last: int) -> list[tuple[int, int]]:
    """Where the last item of a series may end: before a word that goes on, with its run of names, with the piece."""
    first, last = bare(reading, first, last)
    ends = [token for token in range(first + 1, last) if reading.raw(token).lower() in _TRAILS][:2]
    ends += [_end_of_names(reading, first, last), last, first + 1, first + 2]
    return [(first, end) for end in dict.fromkeys(ends) if _may_end(reading, first, last, end)]


def _end_of_names(reading: TokenizedText, first: int, last: int) -> int:
    """Behind the run of capitalised words, and of what joins them, that begins at `first`."""
    end = first
    while end < last and (
        is_capitalised(reading, end) or (end > first and _joined(reading, end, last))
    ):
        end += 1
    return end


def _may_end(reading: TokenizedText, first: int, last: int, end: int) -> bool:
    if not (first < end <= last and end - first <= WIDE) or _within(reading, end, first, last):
        return False
    return reading.raw(end - 1).lower() not in _TRAILS


def _within(reading: TokenizedText, token: int, first: int, last: int) -> bool:
    """Whether a name goes on across the boundary before `token`."""
    if not first < token < last:
        return False
    if not is_capitalised(reading, token):
        return is_capitalised(reading, token - 1) and _joined(reading, token, last)
    if is_capitalised(reading, token - 1):
        return True
    return (
        token - 1 > first
        and _joined(reading, token - 1, last)
        and is_capitalised(reading, token - 2)
    )


def _names_from(reading: TokenizedText, first: int, last: int) -> int:
    """Where the run of capitalised words that ends at `last` begins; `last` where there is none."""
    start = last
    while start > first and (
        is_capitalised(reading, start - 1) or (start < last and _joined(reading, start - 1, last))
    ):
        start -= 1
    while start < last and not is_capitalised(reading, start):
        start += 1
    return start


def _joined(reading: TokenizedText, token: int, last: int) -> bool:
    """Whether a word joins capitalised ones: "Call of Duty"."""
    joining = [reading.raw(at).lower() in _JOINERS for at in range(token, min(last, token + 3))]
    if not joining[0] or all(joining):
        return False
    return is_capitalised(reading, token + joining.index(False))


def alike(reading: TokenizedText, items: Items) -> float:
    """How much the items of a list are alike in form, in [0, 1]: in length, and in whether they are names."""
    sizes = [last - first for first, last in items]
    shares = []
    for first, last in items:
        shares.append(
            sum(map(partial(is_capitalised, reading), range(first, last))) / (last - first)
        )
    return 0.5 * min(sizes) / max(sizes) + 0.5 * (1.0 - (max(shares) - min(shares)))
