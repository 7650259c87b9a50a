"""A bundle as a page to read: HTML without scripts, everything escaped, each answer with its proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

from pincite.document.address import place_of
from pincite.records.answer_record import clean, columns_and_rows, unit_of
from pincite.records.answer_store import citation_id
from pincite.text.wording import counted
from pincite.types import Answer, Citation, Table

POLICY = "default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer to show: the image of each citation by its label, and its reviews as JSON."""

    id: str
    answer: Answer
    pages: Mapping[str, str]
    reviews: tuple[Mapping[str, Any], ...]


def page_of(answers: Sequence[ShownAnswer], facts: Mapping[str, Any]) -> str:
    """The page of a bundle."""
    style = files("pincite").joinpath("data/bundle.css").read_text(encoding="utf-8")
    hashes = [(source["document"], sha) for sha, source in sorted(facts["sources"].items())]
    hashes += [(table, f"rows: {version}") for table, version in sorted(facts["tables"].items())]
    sources = "".join(
        f"<tr><td>{_t(name)}</td><td><code>{_t(sha)}</code></td></tr>" for name, sha in hashes
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evidence: {counted(len(answers), "answer")}</title>
<style>
{style}</style>
</head>
<body>
<header><h1>Evidence</h1>
<p>{counted(len(answers), "answer")} with what they rest on, made by {_t(facts["made_by"])}.
Check this file with <code>pincite verify</code>: it reads every value again at the cited place, without the corpus.</p></header>
<main>
{"".join(map(_answer, answers))}
<section><h2>Sources</h2><div class="wide"><table><thead><tr><th>Document</th><th>SHA-256 of the file</th></tr></thead>
<tbody>{sources}</tbody></table></div></section>
</main>
</body>
</html>
"""


def _t(text: object) -> str:
    return escape(str(text), quote=True)


def _answer(shown: ShownAnswer) -> str:
    answer = shown.answer
    known = [(name, text) for name, text in _facts(shown) if text]
    facts = "".join(f"<dt>{_t(name)}</dt><dd>{_t(text)}</dd>" for name, text in known)
    checks = [
        f"<li><b class='{_t(check.verdict)}'>{_t(check.verdict)}</b> {_t(check.how)}</li>"
        for check in answer.checks
    ]
    others = [f"<li>{_other(other)}</li>" for other in answer.others]
    statement = ""
    if answer.reading:
        statement = f"<pre>{_t(answer.reading.statement)}</pre><p>{_t(answer.reading.meaning)}</p>"
    return f"""<section class="answer" id="a-{_t(shown.id)}">
<h2>{_t(answer.query.text)}</h2>
<p class="value">{_t(answer.text or "N/A")}</p>
<dl>{facts}</dl>
{_list("<ul class='checks'>", checks)}{_table(answer)}{statement}
{"".join(_citation(shown, citation) for citation in answer.citations)}
{_list("<h3>Beside it</h3><ul>", others)}{_list("<h3>Reviews</h3><ul>", list(map(_review, shown.reviews)))}
</section>
"""


def _facts(shown: ShownAnswer) -> Iterator[tuple[str, str]]:
    """What there is to say of an answer, by name; empty where it does not apply."""
    answer, value = shown.answer, clean(shown.answer.value)
    yield "Answer", shown.id
    yield "Confidence", f"{answer.confidence:.0%}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        unit = unit_of(answer.value)
        number = f"{value}" if unit == "year" else f"{value:,} {unit}".strip()
        yield "In full", number if number != answer.text else ""
    where = (f"{name}: {', '.join(values)}" for name, values in answer.query.where)
    yield "Asked of", "; ".join(where)
    yield "Why", answer.reason
    yield "Review", answer.corrected.said if answer.corrected is not None else ""


def _list(opening: str, items: Sequence[str]) -> str:
    return f"{opening}{''.join(items)}</ul>" if items else ""


def _review(review: Mapping[str, Any]) -> str:
    said = " ".join(str(review.get(key, "")) for key in ("text", "how", "note")).strip()
    return f"<li><b>{_t(review['action'])}</b> by {_t(review['by'])}, {_t(review['at'])}: {_t(said)}</li>"


def _other(other: Answer) -> str:
    """What another edition or source says to the same question, and where."""
    parts = (other.stands, other.text or "N/A", f"({other.reason})" if other.reason else "")
    said = " ".join(filter(None, parts))
    places = (f"{at.document}, {place_of(at.anchor)}: “{at.quote}”" for at in other.citations)
    where = "; ".join(places)
    return _t(f"{said}: {where}" if where else said)


def _table(answer: Answer) -> str:
    if not isinstance(answer.value, Table):
        return ""
    columns, rows = columns_and_rows(answer.value)
    head, body = "".join(f"<th>{_t(column)}</th>" for column in columns), ""
    for row in rows:
        cells = (f"<td>{'' if value is None else _t(value)}</td>" for value in row)
        body += f"<tr>{''.join(cells)}</tr>"
    return f"<div class='wide'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _citation(shown: ShownAnswer, place: Citation) -> str:
    where = _t(", ".join(filter(None, (place.document, place_of(place.anchor)))))
    drawn = ""
    if image := shown.pages.get(place.label):
        drawn = f'<img src="{_t(image)}" loading="lazy" alt="{where}, the cited place framed">'
    label = _t(citation_id(shown.id, place))
    return f"""<figure><figcaption><b>{label}</b> {where}</figcaption>
<blockquote>{_t(place.quote)}</blockquote>{drawn}</figure>
"""
