"""Digits that are not a quantity: names, places in a document, dates, citations, telephone numbers, headings."""

from __future__ import annotations

import re

from pincite.text.lexicon import past, pattern, word_list, word_set

MONTHS = word_set("quantity", "months before a day")
MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"

_LABELS = frozenset(
    word
    for name in word_list("quantity", "labels")
    for word in (name, name.capitalize(), name.upper())
) | word_set("quantity", "labels as written")
"""Words after which a number says which one, not how many. Common words count only with a capital."""

_SEPARATED = frozenset(("art", "no", "nos", "p", "vol", "Ref", "Refs", "fig", "sec", "eq", "eqs"))
_DIGITS = r"\d{1,40}+"
"""The digits that a reference begins with: bounded, so that a run of thousands is not gone through from each of them."""
_NOISE = re.compile(
    rf"""(?: \d{{4}}-\d{{2}}-\d{{2}}(?:T[\d:.]+Z?)?\b
      | \d{{1,2}}[/.]\d{{1,2}}[/.](?:\d{{4}}|\d{{2}})\b
      | {_DIGITS}(?:\(\d++(?:[-–]\d++)?\))?(?::\d++)++(?:[-–]\d++)?(?:\s?[ap]\.?m\b)?
      | \d{{1,2}}(?:st|nd|rd|th)?\s{{1,4}}(?:of\s)?{MONTH}(?:,?\s(?:19|20)\d{{2}}\b)?
      | {_DIGITS}(?:st|nd|rd|th)\b
      | (?:19|20)\d{{2}}(?:\s?[-–—/]\s?|\sto\s)(?:(?:19|20)\d{{2}}|\d{{2}}(?![\d%]|[.,]\d))(?!\s?%|\w)
      | (?:19|20)\d{{2}}['’]?s\b
      | 10\.\d{{4,}}/\S+
      | {_DIGITS}(?:[-‐]\d++){{2,}}\b
      | \d{{3}}\.\d{{3}}\.\d{{4}}\b | (?:\d{{1,3}}\s?\()?\d{{3}}\)\s?\d{{3}}[-.\s]\d{{4}}\b
      | {_DIGITS}(?:\.\d++){{2,}}(?:[-.\w]*\w)?
      | {_DIGITS}\.\d++\s(?=\d++(?:\.\d++)?[BM]\b)
      | {_DIGITS}/\d++\b
      | \d{{1,4}}-[A-Z](?![A-Za-z]) )""",
    re.VERBOSE,
)
_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3}){2,}(?![\d.])")
_DAY_YEAR = re.compile(
    r"(?:\d{4}\b|\d{1,2}(?:st|nd|rd|th)?\b(?!\s?%)(?:\s?[-–]\s?\d{1,2}\b)?(?:\s?,?\s?(?:19|20)\d{2}\b)?)"
)
_CITATION = re.compile(r"\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\s?\]")
_OF_YEAR = re.compile(r"\((?:19|20)\d{2}\), $")
_PAGES = re.compile(r"\d++(?:\s?[-–]\s?\d++)?(?=\.|$)")
_LABELED = re.compile(
    r"\d[\w.]*(?:\([\w.]+\))*(?:\s?[-–]\s?\d[\w.]*)?(?:(?:\sand\s|\s?&\s?|,\s)\d{1,2}(?:\.\d+)*(?=[,.;)\s](?!\d)(?!\s?[%$])))?"
)
_HEADING = re.compile(
    r"\d{1,2}(?:\.\d{1,2})*\.?[ \t]+(?=[A-Z][A-Za-z]+)|\d{1,2}(?:\.\d{1,2})+[ \t]+(?=[“\"][A-Z])|\d{1,2}[.)][ \t]+(?=\D)"
)
_REST = re.compile(r"(?:[.\-‐/@:&#=?%+~]*+\w++)*+")
_GLUED = re.compile(r"(?:[^\W\d_][-‐‑]|[^\W_]|[_#@=&\\^]|[A-Za-z0-9]/|\w:/{1,2}|[^\W\d_]\.|\):)$")
_ALLOWED = pattern("quantity", "prefixes")


def last_word(text: str, end: int) -> str:
    """The word that ends at this place, spaces skipped; "" when something else stands there."""
    while end and text[end - 1] in " \u00a0\n\t":
        end -= 1
    start = end
    while start and text[start - 1].isalpha():
        start -= 1
    return text[start:end]


def rest(text: str, i: int) -> int:
    """Where the run of characters that belong to one identifier ends, at least one further on."""
    return max(past(_REST, text, i), i + 1)


def dated(text: str, i: int) -> int:
    """The end of a date, time, ordinal, version or the like that starts here; i when there is none."""
    return i if _GROUPED.match(text, i) else past(_NOISE, text, i)


def glued(text: str, i: int) -> bool:
    """Whether a digit is the tail of a name ("GPT-3", "H100", "fig.3") or of an address."""
    before = text[i - 1 : i]
    if (
        before == "\n"
        and text[max(0, i - 2) : i - 1] == "-"
        and text[max(0, i - 3) : i - 2].isalpha()
    ):
        return True  # a name hyphenated at the end of a line
    if not before or not (before.isalnum() or before in "_#@=&\\^-‐‑/.:"):
        return False
    window = text[max(0, i - 8) : i]
    return bool(_GLUED.search(window)) and not _ALLOWED.search(window)


def labelled(text: str, i: int) -> int:
    """The end of what a label or a month before this digit makes a name ("Table 3", "March 31, 2023"); i for none."""
    end = i
    while end and text[end - 1] in " \u00a0\n\t(:":
        end -= 1
    dot = text[end - 1 : end] == "."
    word = last_word(text, end - 1 if dot else end)
    if word in MONTHS and (day := past(_DAY_YEAR, text, i)) > i:
        return day
    is_label = word in _LABELS and (dot or word not in _SEPARATED)
    return past(_LABELED, text, i) if is_label or text[end - 1 : end] == "§" else i


def cited(text: str, i: int) -> int:
    """The end of a citation mark "[12, 13]" whose first number is here, its bracket included; i for none."""
    opened = text.endswith(("[", "[ "), 0, i)
    return past(_CITATION, text, i) if opened else i


def paginated(text: str, i: int) -> int:
    """The end of the pages of a reference, "44 (2018), 209-221"; i for none."""
    follows = text.endswith("), ", 0, i) and _OF_YEAR.search(text[max(0, i - 9) : i])
    return past(_PAGES, text, i) if follows else i


def heading(text: str, i: int) -> int:
    """The end of the number that opens a heading or an item of a list on its line; i for none."""
    line = text.rfind("\n", max(0, i - 4), i) + 1
    if (not line and i > 4) or text[line:i].strip(" \t("):
        return i
    m = _HEADING.match(text, i)
    if m is None:
        return i
    mark = m[0].rstrip()
    above = text[:line].rstrip(" ")
    alone = not above.rstrip("\n") or above.endswith("\n\n") or above.rstrip("\n")[-1:] in ".:;!?"
    return i + len(m[0]) if alone or mark[-1] in ".)" or "." in mark else i
