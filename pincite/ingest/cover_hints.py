"""What a document says about itself on its cover, and its file name: soft hints for routing, never facts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import PurePosixPath

from pincite.ingest.raw_page import Page

_YEAR = re.compile(r"(?<![\d.,])(?:19[6-9]\d|20[0-4]\d)(?![\d%]|[.,]\d)")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_PERIOD = re.compile(
    r"(?:year|period|quarter|months|half-year)s?\s+end(?:ed|ing):?\s+"
    r"([A-Z][a-z]+\.?\s+\d{1,2},?\s+\d{4}|\d{1,2}\.?\s+[A-Z][a-z]+\s+\d{4}|\d{1,2}[./]\d{1,2}[./]\d{4})",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"\b({_MONTH}\.?\s+\d{{1,2}},?\s+\d{{4}}|\d{{1,2}}\.?\s+{_MONTH}\s+\d{{4}})",
    re.IGNORECASE,
)
_FORM = re.compile(r"\bform\s+(10-?K(?:/A)?|10-?Q|8-?K|20-?F|40-?F|6-?K|S-1|DEF\s?14A)\b", re.IGNORECASE)
_KINDS = (
    ("annual report", "annual report"), ("quarterly report", "quarterly report"), ("current report", "current report"),
    ("sustainability report", "sustainability report"), ("interim report", "interim report"),
    ("earnings release", "earnings release"), ("press release", "press release"), ("user manual", "manual"),
    ("user guide", "manual"), ("handbook", "handbook"),
)  # fmt: skip
_LEGAL = (
    r"(?:Inc(?:orporated)?|Corp(?:oration)?|Ltd|Limited|PLC|plc|LLC|L\.L\.C|LLP|L\.P|LP|S\.A|SA|N\.V|NV|AG|SE|GmbH|AB|"
    r"ASA|Oyj|S\.p\.A|Co|Company|Group|Holdings?|Bancorp|Trust|INC|CORP(?:ORATION)?|LTD|LIMITED|COMPANY|GROUP|HOLDINGS?)"
)
_COMPANY = re.compile(
    rf"(?<![\w&])((?:[A-Z0-9][\w&'\u2019.\-]*,?\s+(?:(?:of|and|&|the|de|für)\s+)?){{1,6}}?{_LEGAL})"
    r"(?=[\s,.;:)\u2019'(*]|$)"
)
_REGISTRANT = re.compile(r"\(?\s*exact\s+name\s+of\s+(?:the\s+)?registrant", re.IGNORECASE)
_FILE_NUMBER = re.compile(r"^\d{1,3}-\d+\s+")
_LONGEST = 200
"""Characters of a line that may name a company."""
_OTHERS = re.compile(r"exchange|nasdaq|\bthe company$|^our |internal revenue|trustee", re.IGNORECASE)
_SPLIT = re.compile(r"[\s_\-.,()+]+|(?<=[a-z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=(?:19|20)\d\d)|(?<=\d{4})(?=[A-Za-z])")


def hints(name: str, pages: Iterable[Page]) -> dict[str, str]:
    """What the file name and the first two pages suggest; a key is absent when nothing suggests it.

    `name` is the file's path or name. Keys: `company_guess`, a name written as companies write theirs on a cover;
    `form`, the kind of filing or report; `period` and `date` as written; `year`, and `years` with every year seen in
    the name and on the cover, most telling first; `file_words`, the lower-cased words of the file name.
    """
    cover = list(islice(pages, 2))
    text = "\n".join(block.text for page in cover for block in page.blocks)[:12000]
    stem = PurePosixPath(name).stem
    words = [word.lower() for word in _SPLIT.split(stem) if word]
    found: dict[str, str] = {}
    if words:
        found["file_words"] = " ".join(words)
    named = [word for word in words if _YEAR.fullmatch(word)]
    if period := _PERIOD.search(text):
        found["period"] = " ".join(period[1].split())
    if date := _DATE.search(text):
        found["date"] = " ".join(date[1].split())
    if form := _FORM.search(text):
        found["form"] = form[1].upper().replace(" ", "")
    else:
        lowered = text[:4000].lower()
        kind = next((kind for phrase, kind in _KINDS if phrase in lowered), "")
        if kind:
            found["form"] = kind
    years = [*named, *_YEAR.findall(found.get("period", ""))]
    years += [year for year, _ in Counter(_YEAR.findall(text)).most_common(5)]
    if years:
        found["year"] = years[0]
        found["years"] = " ".join(dict.fromkeys(years))
    if company := _company(cover, text):
        found["company_guess"] = company
    return found


def _company(cover: list[Page], text: str) -> str:
    lines = [
        line.strip()
        for page in cover
        for block in page.blocks
        for line in _lines(block.text, block.starts)
        if line.strip() and len(line) <= _LONGEST
    ]
    for at, line in enumerate(lines):
        if _REGISTRANT.search(line):
            before = _REGISTRANT.split(line)[0].strip(" (_-")
            for candidate in (before, *(lines[at - back] for back in (1, 2) if at >= back)):
                cleaned = _FILE_NUMBER.sub("", candidate.strip(" _-*"))
                if re.search(r"[A-Za-z]{2}", cleaned) and len(cleaned) < 90:
                    return cleaned
    for block in (block for page in cover for block in page.blocks if block.kind == "heading"):
        if len(block.text) <= _LONGEST and _COMPANY.fullmatch(block.text):
            return block.text
    seen = Counter(" ".join(found.split()).rstrip(",") for found in _COMPANY.findall(text[:6000]))
    return next((name for name, _ in seen.most_common(3) if not _OTHERS.search(name)), "")


def _lines(text: str, starts: tuple[int, ...]) -> list[str]:
    ends = (*starts[1:], len(text))
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]
