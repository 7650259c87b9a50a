"""What a document is, as its cover, its file and its name tell together: its title, company, kind and year; never facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import PurePosixPath

from pincite.ingest.raw_page import Block, Page
from pincite.ingest.titles import title_of
from pincite.text.lexicon import pattern, pattern_table

PAPER = "paper"  # a document with an abstract
_YEAR = re.compile(r"(?<![\d.,])(?:19[6-9]\d|20[0-4]\d)(?![\d%]|[.,]\d)")
_PERIOD = pattern("ingest", "period ended", "cover")
_DATE = pattern("ingest", "date", "cover")
_FORM = pattern("ingest", "form", "cover")
_KINDS = pattern_table("ingest", "kinds of report")
_COMPANY = pattern("ingest", "company", "cover")
_ABSTRACT = pattern("ingest", "abstract", "cover")
_BODY = pattern("ingest", "body", "cover")
_LISTED = pattern("ingest", "listed", "cover")
_OF_RIGHT = pattern("ingest", "of right", "cover")
_REGISTRANT = pattern("ingest", "registrant", "cover")
_FILE_NUMBER = pattern("ingest", "file number", "cover")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_OPENING = 4  # blocks that open a page, where its kind may stand in no heading
_FRONT = 4  # pages of which the first two with text are looked at
_LONGEST = 200  # characters of a line that may name a company, and of a text that may name a kind
_LOOKED_AT = 12_000  # characters of a text that are looked at
_NO_WORD = re.compile(r"\S{80,}")  # no word of a name: patterns would try it from each letter on
_OTHERS = pattern("ingest", "other companies", "cover")
_SPLIT = re.compile(
    r"[\s_\-.,()+]+|(?<=[a-z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=(?:19|20)\d\d)|(?<=\d{4})(?=[A-Za-z])"
)


def hints(name: str, pages: Sequence[Page]) -> dict[str, str]:
    """What the file name and the first two pages suggest; a key is absent when nothing suggests it.

    `name` is the file's path or name. Keys: `title`; `company`, whose it is; `kind`, the form of a filing, else what its title
    or cover calls it; `period` and `date` as written; `year`, and `years` with every year seen in the name and on the cover,
    most telling first; `file_words`, the words of the file name in lower case.
    """
    front = [page for page in pages[:_FRONT] if any(block.text for block in page.blocks)]
    cover = [block for page in front[:2] for block in page.blocks]
    text = _NO_WORD.sub("…", "\n".join(block.text for block in cover))[:_LOOKED_AT]
    called = [word for word in _SPLIT.split(PurePosixPath(name).stem) if word]
    registrant = _find_registrant(_lines(block for page in front for block in page.blocks))
    title, period = registrant or title_of(pages, name), _first_match(_PERIOD, text)
    first = front[0].blocks if front else ()
    kind, said = _find_kind(_lines(cover), [title, *_openings(first), " ".join(called)])
    date = _first_match(_DATE, "\n".join(block.text for block in first)[:_LOOKED_AT])
    dated = (*called, period, said, title, date, _first_match(_OF_RIGHT, text))
    years = _YEAR.findall(" ".join(dated))
    years += [year for year, _ in Counter(_YEAR.findall(text)).most_common(5)]
    company = "" if kind == PAPER else registrant or _find_company(cover, text, called, title)
    found = {
        "title": title, "file_words": " ".join(called).lower(), "period": period, "date": _first_match(_DATE, text), "kind": kind,
        "year": "".join(years[:1]), "years": " ".join(dict.fromkeys(years)), "company": company,
    }  # fmt: skip
    return {key: value for key, value in found.items() if value}


def _lines(blocks: Iterable[Block]) -> list[str]:
    return [line for block in blocks for line in block.text_lines()]


def _first_match(said: re.Pattern[str], text: str) -> str:
    """What a pattern holds in its group, where it is found first."""
    found = said.search(text)
    return " ".join(found[1].split()) if found else ""


def _openings(blocks: Sequence[Block]) -> Iterator[str]:
    """The headings of a page, and the short texts that open it."""
    for at, block in enumerate(blocks):
        if block.kind == "heading" or at < _OPENING and len(block.text) <= _LONGEST:
            yield block.text


def _find_kind(lines: Sequence[str], named: Iterable[str]) -> tuple[str, str]:
    """The form of a filing, else what kind of document it is called, and the text that says so."""
    matches = ((_FORM.match(line), line) for line in lines)
    forms = ((form[1].upper().replace(" ", ""), line) for form, line in matches if form)
    called = [text[:_LONGEST].lower() for text in named]
    papers = ((PAPER, "") for line in lines if _ABSTRACT.match(line))
    kinds = ((kind, text) for text in called for kind, said in _KINDS if said.search(text))
    return next(chain(forms, papers, kinds), ("", ""))


def _find_company(blocks: Sequence[Block], text: str, called: Sequence[str], title: str) -> str:
    """The company before its symbol at an exchange, in a heading, in the file's name and on a line; a public body; the company
    named most.
    """
    lines = [line for line in _lines(blocks) if len(line) <= _LONGEST and line != title]
    headings = (block.text for block in blocks if block.kind == "heading")
    found = chain(
        [_first_match(_LISTED, text).rstrip(" ,")],
        (one for one in headings if len(one) <= _LONGEST and _COMPANY.fullmatch(one)),
        _by_name(called, lines),
        (line for line in lines if _BODY.fullmatch(line) and not _OTHERS.search(line)),
        [_named_most(block.text for block in blocks)],
    )
    return next(filter(None, found), "")


def _by_name(called: Sequence[str], lines: Iterable[str]) -> Iterator[str]:
    """The words that open a file's name, stand on a line of their own and name no kind: "Rio Tinto"."""
    alone = {"".join(_SPLIT.split(line)).casefold() for line in lines}
    for end in range(len(called), 0, -1):
        name = " ".join(called[:end])
        told = any(said.search(name.lower()) for _, said in _KINDS)
        if _LETTERS.search(name) and not told and "".join(called[:end]).casefold() in alone:
            yield name


def _named_most(texts: Iterable[str]) -> str:
    """The company that texts name most, those aside that every filing names."""
    plain = (_NO_WORD.sub("…", text) for text in texts)
    named = chain.from_iterable(map(_COMPANY.findall, plain))
    seen = Counter(" ".join(found.split()).rstrip(",") for found in named)
    return next((name for name, _ in seen.most_common(3) if not _OTHERS.search(name)), "")


def _find_registrant(lines: list[str]) -> str:
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
