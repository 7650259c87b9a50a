"""The files in which two challenges take answers: WattBot's CSV and the JSON of the Enterprise RAG Challenge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.formats.spreadsheet import write_records
from pincite.records.runfile import Record, digits, document_name, number_of, text_of
from pincite.storage.disk import whole

WATTBOT_COLUMNS = (
    "id", "question", "answer", "answer_value", "answer_unit", "ref_id", "ref_url",
    "supporting_materials", "explanation",
)  # fmt: skip
BLANK = "is_blank"
UNABLE = "Unable to answer with confidence based on the provided documents."


def value_text(value: object) -> str:
    """A clean value as a submission holds it: digits, 1 or 0 for true or false, [a, b] for a list, or is_blank."""
    if value is None:
        return BLANK
    if isinstance(value, bool):
        return str(int(value))
    number = number_of(value)
    if number is not None:
        return digits(number)
    if isinstance(value, list | tuple):
        numeric = all(number_of(item) is not None for item in value)
        parts = [value_text(item) if numeric else quoted(str(item)) for item in value]
        return f"[{','.join(parts)}]"
    return {"true": "1", "false": "0"}.get(str(value).strip().lower(), str(value).strip()) or BLANK


def quoted(text: str) -> str:
    """Text in double quotes, as the list fields want it."""
    return f'"{text.replace(chr(34), chr(39))}"'


def wattbot_row(
    record: Record, question: str, unit: str, urls: Mapping[str, str], identifier: str
) -> dict[str, str]:
    """A record as a row of a submission to WattBot. `urls` gives the address of each document by its name; `identifier` is the
    question's own id.
    """
    if record.value is None:
        reason = record.text.strip() or record.how or UNABLE
        fields = (identifier, question, UNABLE, BLANK, unit or BLANK, BLANK, BLANK, BLANK, reason)
        return dict(zip(WATTBOT_COLUMNS, fields, strict=True))
    cited = list(dict.fromkeys(document_name(each.document) for each in record.citations))
    quotes = " | ".join(filter(None, (each.quote.strip() for each in record.citations)))
    source = f"Quoted from {', '.join(cited)}." if cited else "No source was cited."
    value = value_text(record.value)
    fields = (
        identifier, question, record.text.strip() or value, value, unit or record.unit or BLANK, _listed(cited),
        _listed(urls.get(name, "") for name in cited), quotes or BLANK, record.how or source,
    )  # fmt: skip
    return dict(zip(WATTBOT_COLUMNS, fields, strict=True))


def _listed(texts: Iterable[str]) -> str:
    """Texts as a list field wants them, empty ones left out; is_blank where there are none."""
    listed = ", ".join(map(quoted, filter(None, texts)))
    return f"[{listed}]" if listed else BLANK


def write_wattbot(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    """Rows as a file for WattBot with exactly its columns. Raises UsageError when a row has no explanation."""
    checked = [checked_row(row) for row in rows]
    with whole(path) as half, half.open("w", encoding="utf-8", newline="") as file:
        write_records(file, WATTBOT_COLUMNS, checked)


def checked_row(row: Mapping[str, str]) -> dict[str, str]:
    """The columns of a row in order; every row needs an explanation."""
    if not row.get("explanation", "").strip():
        raise UsageError(f"row {row.get('id')}: every row of a submission needs an explanation")
    return {column: row.get(column, "") for column in WATTBOT_COLUMNS}


def is_na(value: object) -> bool:
    """Whether a value is N/A."""
    return value is None or (isinstance(value, str) and value.strip().lower() in ("", "n/a", "na"))


def erc_submission(records: Iterable[tuple[Record, str, str]]) -> dict[str, Any]:
    """A submission to the Enterprise RAG Challenge of (record, question, kind): each cited page once, 0-based."""
    return {"answers": [_erc_answer(*each) for each in records]}


def _erc_answer(record: Record, question: str, kind: str) -> dict[str, Any]:
    """One answer as a submission holds it."""
    pages = dict.fromkeys(
        (document_name(each.document), each.page - 1) for each in record.citations if each.page
    )
    references = [{"pdf_sha1": document, "page_index": page} for document, page in pages]
    value = _erc_value(record.value, kind)
    return {"question_text": question, "kind": kind, "value": value, "references": references}


def _erc_value(value: object, kind: str) -> Any:
    """A clean value in the JSON type of its kind; N/A when there is none or it is not of that kind."""
    if is_na(value):
        return "N/A"
    if kind == "number":
        number = number_of(value)
        if number is None:
            return "N/A"
        return int(number) if number == number.to_integral_value() else float(number)
    if kind == "boolean":
        said = text_of(value).strip().lower() in ("true", "yes", "1")
        return value if isinstance(value, bool) else said
    if kind == "names":
        return list(map(text_of, value if isinstance(value, list | tuple) else [value]))
    return text_of(value)
