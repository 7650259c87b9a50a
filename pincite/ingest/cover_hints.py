"""What a document says about itself on its cover, and its file name: soft hints for routing, never facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import PurePosixPath

from pincite.ingest.raw_page import Page
from pincite.lexicon import pattern, pattern_table

_YEAR = re.compile(r"(?<![\d.,])(?:19[6-9]\d|20[0-4]\d)(?![\d%]|[.,]\d)")
_PERIOD = pattern("ingest", "period ended", "cover")
_DATE = pattern("ingest", "date", "cover")
_FORM = pattern("ingest", "form", "cover")
_KINDS = pattern_table("ingest", "kinds of report")
_COMPANY = pattern("ingest", "company", "cover")
_REGISTRANT = pattern("ingest", "registrant", "cover")
_FILE_NUMBER = pattern("ingest", "file number", "cover")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_LONGEST = 200
"""Characters of a line that may name a company."""
_OTHERS = pattern("ingest", "other companies", "cover")
_SPLIT = re.compile(
    r"[\s_\-.,()+]+|(?<=[a-z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=(?:19|20)\d\d)|(?<=\d{4})(?=[A-Za-z])"
)


def hints(name: str, pages: Iterable[Page]) -> dict[str, str]:
    """What the file name and the first two pages suggest; a key is absent when nothing suggests it.

    `name` is the file's path or name. Keys: `company`, a name written as companies write theirs on a cover;
    `kind`, the kind of filing or report; `period` and `date` as written; `year`, and `years` with every year seen in
    the name and on the cover, most telling first; `file_words`, the lower-cased words of the file name.
    """
    cover = list(islice(pages, 2))
    text = "\n".join(block.text for page in cover for block in page.blocks)[:12000]
    words = [word.lower() for word in _SPLIT.split(PurePosixPath(name).stem) if word]
    period = _first(_PERIOD, text)
    years = [*filter(_YEAR.fullmatch, words), *_YEAR.findall(period)]
    years += [year for year, _ in Counter(_YEAR.findall(text)).most_common(5)]
    found = {
        "file_words": " ".join(words), "period": period, "date": _first(_DATE, text), "kind": _form(text),
        "year": "".join(years[:1]), "years": " ".join(dict.fromkeys(years)), "company": _company(cover, text),
    }  # fmt: skip
    return {key: said for key, said in found.items() if said}


def _first(said: re.Pattern[str], text: str) -> str:
    """What a pattern holds in its group, where it is found first."""
    found = said.search(text)
    return " ".join(found[1].split()) if found else ""


def _form(text: str) -> str:
    """The form of a filing, else the kind of report."""
    if form := _FORM.search(text):
        return form[1].upper().replace(" ", "")
    beginning = text[:4000].lower()
    return next((kind for kind, said in _KINDS if said.search(beginning)), "")


def _company(cover: list[Page], text: str) -> str:
    blocks = [block for page in cover for block in page.blocks]
    lines = [line for block in blocks for line in block.text_lines()]
    headings = (block.text for block in blocks if block.kind == "heading")
    short = (heading for heading in headings if len(heading) <= _LONGEST)
    titled = filter(_COMPANY.fullmatch, short)
    return _registrant(lines) or next(titled, "") or _named_most(text[:6000])


def _named_most(text: str) -> str:
    """The company that a text names most, those aside that every filing names."""
    seen = Counter(" ".join(found.split()).rstrip(",") for found in _COMPANY.findall(text))
    return next((name for name, _ in seen.most_common(3) if not _OTHERS.search(name)), "")


def _registrant(lines: list[str]) -> str:
    """The name that a cover calls that of the registrant: before those words or in one of the two lines over them."""
    lines = [line for line in lines if 0 < len(line) <= _LONGEST]
    for at, line in enumerate(lines):
        if said := _REGISTRANT.search(line):
            before = line[: said.start()].strip(" (_-")
            for candidate in (before, *reversed(lines[max(at - 2, 0) : at])):
                name = _FILE_NUMBER.sub("", candidate.strip(" _-*"))
                if _LETTERS.search(name) and len(name) < 90:
                    return name
    return ""
