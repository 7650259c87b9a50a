"""Right replies that share no word with their question: how many are lost on the way to the answer.

The places are those of `other_words.jsonl`, each on a page of its own beside a place that does not answer; the oracle of
`honest_oracle` replies with what they say.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring.own_questions import QUESTIONS
from pincite.lab.scoring.examples import example
from pincite.records.runfile import read_lines
from pincite.types import Example

_NAME = re.compile(r"(?<!^)\b[A-Z]\w*(?:-\w+)?(?: \d+)?\b")
_NUMBER = re.compile(r"([-\d.,]+(?:e-?\d+)?)x?")
_SCALE = re.compile(
    r"\((?:EUR |USD |CHF |GBP )?(m|bn|million|billion|trillion|k)(?:EUR)?(?![\w³²])[^)]*\)"
)
_SCALES = {"m": "million", "bn": "billion", "k": "thousand"}


def replies() -> list[Example]:
    """The questions with what their places say, each held to its own page."""
    made = []
    for number, row in enumerate(read_lines(QUESTIONS / "other_words.jsonl"), 1):
        value = row["evidence"]["value"]
        number_told = _NUMBER.fullmatch(value)
        asked = {
            **row,
            "answer": str(float(number_told[1])) if number_told and "e" in value else value,
            "answer_type": "number" if number_told else "text",
            "scale": _scale(row["evidence"].get("row", "")),
            "doc_ids": [f"{row['id']}.html"],
        }
        made.append(example(number, asked, row["question"]))
    return made


def write_pages(folder: Path) -> None:
    """Each place and its neighbour as a page of HTML that is titled with the names of its question."""
    rows = read_lines(QUESTIONS / "other_words.jsonl")
    folder.mkdir(parents=True, exist_ok=True)
    for row in rows:
        names = _NAME.findall(row["question"])
        (folder / f"{row['id']}.html").write_text(_page(row, names), encoding="utf-8")


def _scale(label: str) -> str:
    """The scale word that a row's label declares; "" where it declares none, as "(per million hours)" does not."""
    said = _SCALE.search(label)
    return _SCALES.get(said[1], said[1]) if said else ""


def _page(row: Mapping[str, Any], names: Sequence[str]) -> str:
    places = (row["evidence"], row["neighbour"])
    told = _sentences(places) if "sentence" in places[0] else _table(places)
    title = html.escape(" ".join(("Report", *names)))
    heading = html.escape(places[0]["heading"])
    return (
        f"<!doctype html><meta charset='utf-8'><title>{title}</title><body>\n"
        f"<h1>{title}</h1>\n<h2>{heading}</h2>\n{told}\n</body>\n"
    )


def _sentences(places: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(
        f"<p>{html.escape(place.get('sentence', place['value']))}</p>" for place in places
    )


def _table(places: Sequence[Mapping[str, str]]) -> str:
    """The rows and columns of the places; a place shares them with the other where they have the same label."""
    rows = list(dict.fromkeys(place["row"] for place in places))
    columns = list(dict.fromkeys(place["column"] for place in places))
    held = {(place["row"], place["column"]): place["value"] for place in places}
    head = "".join(f"<th>{html.escape(name)}</th>" for name in ("", *columns))
    body = [f"<caption>{html.escape(places[0]['caption'])}</caption>", f"<tr>{head}</tr>"]
    for label in rows:
        cells = "".join(f"<td>{html.escape(held.get((label, name), ''))}</td>" for name in columns)
        body.append(f"<tr><th>{html.escape(label)}</th>{cells}</tr>")
    return "<table>" + "\n".join(body) + "</table>"
