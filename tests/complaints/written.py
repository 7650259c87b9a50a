"""Tables of text as files of other formats than PDF."""

import io

import openpyxl

from tests.complaints.cases import WORDING

PARTED = {"csv": ",", "tsv": "\t", "semicolons.csv": ";"}


def written(kind: str, title: str, language: str, rows: list[list[str]]) -> bytes:
    """The rows, the first of which is the header; CSV files have no title."""
    if kind == "xlsx":
        book, held = openpyxl.Workbook(), io.BytesIO()
        for row in [[title], [], *rows]:
            book.active.append([cell or None for cell in row])
        book.save(held)
        return held.getvalue()
    if kind == "html":
        table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        head = f"<meta charset='utf-8'><h1>{title}</h1><p>{WORDING['prose'][language]}</p>"
        return f"{head}<table>{table}</table>".encode()
    quote = '"' if kind == "csv" else ""
    lines = (PARTED[kind].join(f"{quote}{cell}{quote}" for cell in row) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode()
