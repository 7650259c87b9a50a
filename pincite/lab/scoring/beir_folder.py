"""A folder laid out as BEIR's (corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv): its documents as files, its queries as questions.

A document becomes a text file that is named by its id, so that the corpus has it under that id; what no file can be called is
percent-encoded. Where ids differ in case alone, capitals are encoded too, as names of documents are compared without case.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from pincite.errors import UsageError
from pincite.records.runfile import EXTENSION, refuse_repeated
from pincite.storage.disk import write

Row = dict[str, Any]
SUFFIX = ".txt"
SPLITS = ("test", "dev", "train")
"""The judgements that are taken where none are named, the first that are there."""
_SAFE = "-_.,+=@ "
LONGEST = 200
"""Characters of a file's name; behind it a longer one has a digest in the place of the rest."""


def file_names(ids: Iterable[str]) -> dict[str, str]:
    """The name of the file of each document."""
    listed = list(ids)
    plain = {identity: _encoded(identity) for identity in listed}
    often = Counter(name.casefold() for name in plain.values())
    return {
        identity: (_cased(name) if often[name.casefold()] > 1 else name) + SUFFIX
        for identity, name in plain.items()
    }


def _encoded(identity: str) -> str:
    name = quote(identity, safe=_SAFE)
    name = re.sub(r"^[. ]|[. ]$", lambda found: f"%{ord(found[0]):02X}", name)
    if len(name) <= LONGEST:
        return name
    return f"{name[:LONGEST]}-{blake2b(identity.encode(), digest_size=8).hexdigest()}"


def _cased(name: str) -> str:
    """A name whose capitals are encoded; the hexadecimal digits of what is encoded already stay."""
    found = re.compile(r"%[0-9A-F]{2}|[A-Z]")
    return found.sub(lambda part: part[0] if part[0][0] == "%" else f"%{ord(part[0]):02X}", name)


def document_id(document: str) -> str:
    """The id of a document from its file in the corpus; a document that is no such file keeps its name."""
    return unquote(EXTENSION.sub("", document.rsplit("/", 1)[-1]))


def write_documents(folder: Path, into: Path) -> int:
    """Write each document of a folder as a file, where it is not there yet with this content; returns their number.

    Raises UsageError that names the line of what is no document.
    """
    names = file_names(_ids(folder))
    twins: Counter[bytes] = Counter()
    for row in _lines(folder / "corpus.jsonl"):
        title, text = (" ".join(str(row.get(part) or "").split()) for part in ("title", "text"))
        content = f"{title}\n\n{text}\n" if title else f"{text}\n"
        digest = blake2b(content.encode(), digest_size=8).digest()
        # a corpus keeps files of equal bytes once, and each has its own judgements
        content += "\n" * twins[digest]
        twins[digest] += 1
        path = into / names[str(row["_id"])]
        if not path.is_file() or path.read_text(encoding="utf-8") != content:
            write(path, content)
    return len(names)


def question_rows(folder: Path, split: str = "") -> list[Row]:
    """The judged queries of a folder as lines of a question file, under their ids; `qrels` has grades by the documents' files.

    Raises UsageError when there are no judgements of this split, or a line is none.
    """
    path = qrels_of(folder, split)
    known = file_names(_ids(folder)) if (folder / "corpus.jsonl").is_file() else {}
    grades: dict[str, dict[str, int]] = {}
    for query, document, grade in beir_judgements(path):
        name = known.get(document) or _encoded(document) + SUFFIX
        grades.setdefault(query, {})[name] = grade
    rows = [
        {"id": str(row["_id"]), "question": str(row["text"]), "qrels": grades[str(row["_id"])]}
        for row in _lines(folder / "queries.jsonl")
        if str(row["_id"]) in grades
    ]
    if not rows:
        raise UsageError(f"{path} judges none of the queries in {folder / 'queries.jsonl'}")
    return rows


def qrels_of(folder: Path, split: str = "") -> Path:
    """The file of a split's judgements, by default the first of SPLITS that is there, or the only one."""
    there = {path.stem: path for path in sorted((folder / "qrels").glob("*.tsv"))}
    wanted = [split] if split else [*SPLITS, *(there if len(there) == 1 else ())]
    found = next((there[name] for name in wanted if name in there), None)
    if found is None:
        told = ", ".join(there) or "none"
        raise UsageError(
            f"{folder} has no judgements {f'of the split {split!r}' if split else 'that are test, dev or train'}: qrels/ holds "
            f"{told}; name one with --split"
        )
    return found


def beir_judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    """(query, document, grade) of each line of a file of judgements. Raises UsageError for a line that is none."""
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        parts = line.split("\t")
        if not line.strip() or (number == 1 and not parts[-1].lstrip("-").isdigit()):
            continue
        if len(parts) != 3 or not parts[2].lstrip("-").isdigit():
            raise UsageError(
                f"{path}, line {number}: query, document and a whole grade are needed, separated by tabs, not {line[:80]!r}"
            )
        yield parts[0], parts[1], int(parts[2])


def _ids(folder: Path) -> list[str]:
    ids = [str(row["_id"]) for row in _lines(folder / "corpus.jsonl")]
    refuse_repeated(ids, folder / "corpus.jsonl")
    return ids


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """The objects of a file of JSON lines, one after the other: a collection may be larger than memory."""
    if not path.is_file():
        raise UsageError(
            f"no file at {path}: a BEIR folder has corpus.jsonl, queries.jsonl and qrels/*.tsv"
        )
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                usable = isinstance(row, dict) and {"_id", "text"} <= row.keys()
            except json.JSONDecodeError:
                usable = False
            if not usable:
                raise UsageError(
                    f"{path}, line {number}: a JSON object with _id and text is needed, not {line[:80].strip()!r}"
                )
            yield row
