"""The public question sets on which the judge is trained, one function a set. Sets used only for measuring are not among them."""

from __future__ import annotations

import csv
import json
import lzma
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from concepts import concepts
from example import Kind, Pair, kind_of
from grid import Grid, grid, header_rows, plain
from prose import holding, overlap, prose_pairs, split
from stated import stated
from tables import counts, heads, named, table_pairs
from templates import asked
from varied import varied

from pincite.evidence.judge_input import CellPlace, SentencePlace

Row = dict[str, Any]
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")


def rows(path: Path) -> Iterator[Row]:
    """The objects of a file of JSON Lines, packed or not."""
    opened = (
        lzma.open(path, "rt", encoding="utf-8")
        if path.suffix == ".xz"
        else path.open(encoding="utf-8")
    )
    with opened as lines:
        for line in lines:
            yield json.loads(line)


def wtq(data: Path, chance: random.Random) -> Iterator[Pair]:
    """WikiTableQuestions: questions whose answer is a single cell of the table."""
    tables = {row["table_id"]: row["rows"] for row in rows(data / "train" / "wtq_tables.jsonl.xz")}
    for row in rows(data / "train" / "wtq_questions.jsonl.xz"):
        yield from _wtq(
            row["question"], row["answers"], tables[row["table_id"]], row["table_id"], chance
        )


def wtq_dev(data: Path, chance: random.Random) -> Iterator[Pair]:
    """WikiTableQuestions, the tables that are also measured on."""
    folder = data / "tableqa_wtq"
    for row in rows(folder / "questions.jsonl"):
        path = folder / row["table_id"]
        if not path.exists():
            path = folder / "tables" / Path(row["table_id"]).name
        with path.open(encoding="utf-8", newline="") as lines:
            cells = list(csv.reader(lines, doublequote=False, escapechar="\\"))
        answers = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
        yield from _wtq(
            row["question"], [str(answer) for answer in answers], cells, row["table_id"], chance
        )


def _wtq(
    question: str,
    answers: Sequence[str],
    cells: Sequence[Sequence[str]],
    group: str,
    chance: random.Random,
) -> Iterator[Pair]:
    cells = [[" ".join(cell.split()) for cell in row] for row in cells if row]
    if len(answers) != 1 or len(cells) < 3:
        return
    table = grid(cells, 1)
    found = table.find(answers[0])
    if len(found) != 1 or not plain(answers[0]):
        return
    row, column = found[0]
    if counts(question) and not (
        named(table, question, row, column) and heads(table, question, column)
    ):
        return
    right = Pair(
        question, table.place(row, column), 1, kind_of(question, answers[0]), "right", group, "wtq"
    )
    yield from table_pairs(table, right, row, column, chance)


def tatqa(data: Path, chance: random.Random) -> Iterator[Pair]:
    """TAT-QA: financial questions answered by a cell, by a span of a paragraph, or by arithmetic on cells."""
    folder = data / "tableqa_tatqa"
    contexts = {row["context_id"]: row for row in rows(folder / "contexts.jsonl")}
    grids = {name: _tatqa_grid(context) for name, context in contexts.items()}
    for row in rows(folder / "questions.jsonl"):
        name = row["context_id"]
        table, paragraphs = grids[name], contexts[name]["paragraphs"]
        answers = [
            str(answer)
            for answer in (row["answer"] if isinstance(row["answer"], list) else [row["answer"]])
        ]
        if row["derivation"].strip() and row["answer_type"] == "number":
            yield from _operands(row["question"], row["derivation"], table, name, "tatqa")
        elif row["answer_from"] == "text" and len(answers) == 1:
            yield from _tatqa_text(row, answers[0], paragraphs, chance)
        elif not row["derivation"].strip():
            yield from _tatqa_cells(row["question"], answers, table, name, chance)


def _tatqa_grid(context: Row) -> Grid:
    """The table, with the sentence that announces it as its caption."""
    announced = [
        split(paragraph["text"])[-1:]
        for paragraph in context["paragraphs"]
        if paragraph["text"].strip().endswith(":")
    ]
    caption = announced[0][0] if announced and announced[0] else ""
    return grid(context["table"], header_rows(context["table"]), caption)


def _tatqa_cells(
    question: str, answers: Sequence[str], table: Grid, group: str, chance: random.Random
) -> Iterator[Pair]:
    golds = [plain(answer) for answer in answers]
    for answer in answers:
        found = [(r, c) for r, c in table.find(answer) if c]
        if len(found) != 1:
            continue
        row, column = found[0]
        kind: Kind = "list" if len(answers) > 1 else kind_of(question, answer)
        right = Pair(question, table.place(row, column), 1, kind, "right", group, "tatqa")
        made_of = [*table_pairs(table, right, row, column, chance), *varied(right, (), chance)]
        for made in made_of:
            wrong_gold = made.question == question and isinstance(made.place, CellPlace)
            if made.label or not (wrong_gold and plain(made.place.value) in golds):  # type: ignore[union-attr]
                yield made


def _operands(
    question: str, derivation: str, table: Grid, group: str, source: str
) -> Iterator[Pair]:
    """Two cells that the answer is computed from: neither is the answer."""
    for number in list(dict.fromkeys(_NUMBER.findall(derivation)))[:2]:
        found = [(r, c) for r, c in table.find(number) if c]
        if len(found) == 1:
            yield Pair(question, table.place(*found[0]), 0, "number", "basis", group, source)


def _tatqa_text(
    row: Row, answer: str, paragraphs: Sequence[Row], chance: random.Random
) -> Iterator[Pair]:
    texts = {str(paragraph["order"]): paragraph["text"] for paragraph in paragraphs}
    elsewhere = [sentence for text in texts.values() for sentence in split(text)]
    for order in row["rel_paragraphs"]:
        text = texts.get(order, "")
        if text.count(answer) == 1:
            start = text.index(answer)
            made = _in_text(
                row["question"], text, start, start + len(answer), "", row["context_id"], "tatqa"
            )
            if made:
                yield from prose_pairs(made, answer, _beside(text, made), elsewhere, chance)
            return


def _in_text(
    question: str, text: str, start: int, end: int, heading: str, group: str, source: str
) -> Pair | None:
    """The right pair of an answer that one sentence of `text` holds."""
    held = holding(text, start, end)
    if not held:
        return None
    kind = kind_of(question, text[start:end])
    return Pair(question, SentencePlace(heading, *held), 1, kind, "right", group, source)


def _beside(text: str, right: Pair) -> list[str]:
    """The sentences before and after the right one."""
    assert isinstance(right.place, SentencePlace)
    lines = split(text)
    if right.place.sentence not in lines:
        return lines[:2]
    at = lines.index(right.place.sentence)
    return [*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2]]


def covidqa(data: Path, chance: random.Random) -> Iterator[Pair]:
    """COVID-QA: spans of scientific articles, under their titles."""
    articles = {
        row["context_id"]: row["context"]
        for row in rows(data / "train" / "covidqa_articles.jsonl.xz")
    }
    lines = {name: split(text) for name, text in articles.items()}
    for row in rows(data / "train" / "covidqa_questions.jsonl.xz"):
        text, name = articles[row["context_id"]], row["context_id"]
        answer = row["answers"][0]
        start, end = answer["start"], answer["start"] + len(answer["text"])
        right = _in_text(
            row["question"], text, start, end, text.split("\n", 1)[0], f"covidqa:{name}", "covidqa"
        )
        if right:
            near = text[max(0, start - 1500) : end + 1500]
            yield from prose_pairs(
                right, answer["text"].strip(), _beside(near, right), lines[name], chance
            )


def xquad(data: Path, chance: random.Random) -> Iterator[Pair]:
    """XQuAD, English and German: the same paragraphs in both, kept in one group."""
    paragraph = {row["id"]: row["context"] for row in rows(data / "train" / "xquad_en.jsonl.xz")}
    for language in ("en", "de"):
        for row in rows(data / "train" / f"xquad_{language}.jsonl.xz"):
            text, answer = row["context"], row["answers"][0]
            start, end = answer["start"], answer["start"] + len(answer["text"])
            group = f"xquad:{paragraph[row['id']][:60]}"
            right = _in_text(row["question"], text, start, end, "", group, f"xquad_{language}")
            if right:
                yield from prose_pairs(
                    right, answer["text"], _beside(text, right), split(text), chance
                )


def nq(data: Path, chance: random.Random) -> Iterator[Pair]:
    """Natural Questions: real search questions over a passage of an encyclopaedia, under its title."""
    for row in rows(data / "train" / "nq.jsonl.xz"):
        text = row["context"].replace("`` ", '"').replace(" ''", '"')
        for answer in row["answers"][:1]:
            if text.count(answer) != 1 or len(split(text)) < 2:
                continue
            start = text.index(answer)
            right = _in_text(
                row["question"],
                text,
                start,
                start + len(answer),
                row["title"],
                f"nq:{row['title']}",
                "nq",
            )
            if right:
                yield from prose_pairs(right, answer, _beside(text, right), split(text), chance)


def qasper(data: Path, chance: random.Random) -> Iterator[Pair]:
    """QASPER: questions on papers with the sentences that the annotators highlighted."""
    questions = list(rows(data / "train" / "qasper.jsonl.xz"))
    papers: dict[str, list[str]] = defaultdict(list)
    for row in questions:
        for evidence in row["evidence"]:
            papers[row["document"]] += [
                line for text in evidence["raw_evidence"] for line in split(text)
            ]
    for row in questions:
        for answer, evidence in zip(row["answers"], row["evidence"], strict=False):
            made = list(_qasper(row, answer, evidence, papers[row["document"]], chance))
            yield from made
            if made:
                break


def _qasper(
    row: Row, answer: Row, evidence: Row, paper: Sequence[str], chance: random.Random
) -> Iterator[Pair]:
    """The highlighted sentence, or that of several which holds the answer or shares most words with it."""
    text = "\n".join(evidence["raw_evidence"])
    lit = [line for part in evidence["highlighted_evidence"] for line in split(part)]
    said = str(answer["answer"])
    if not lit or len(lit) > 8 or "FLOAT SELECTED" in text:
        return
    boolean = answer["type"] == "boolean"
    wanted = row["question"] if boolean else said
    best = max(lit, key=lambda line: overlap(wanted, line))
    if not boolean and overlap(said, best) < 0.5:
        return
    at = best.find(said) if not boolean else -1
    kind: Kind = kind_of(row["question"], said)
    if boolean:
        kind = "yes" if said.lower().startswith("y") else "no"
    span = (at, at + len(said)) if at >= 0 else (0, 0)
    right = Pair(
        row["question"],
        SentencePlace("", best, *span),
        1,
        kind,
        "right",
        f"qasper:{row['document']}",
        "qasper",
    )
    own = set(lit)
    beside = [line for line in _beside(text, right) if line not in own]
    elsewhere = [line for line in paper if line not in own]
    yield from prose_pairs(right, said if at >= 0 else best, beside, elsewhere, chance)


def finqa(data: Path, chance: random.Random) -> Iterator[Pair]:
    """FinQA: a sentence that holds all operands answers; a cell or number that is only one of them does not."""
    for row in rows(data / "train" / "finqa.jsonl.xz"):
        context, question, group = row["context"], row["question"], f"finqa:{row['document']}"
        lines = [*context["pre_text"], *context["post_text"]]
        operands = [
            number
            for number in _NUMBER.findall(re.sub(r"#\d+|const_\w+", "", row["program"]))
            if number
        ]
        texts = [text for name, text in row["evidence"].items() if name.startswith("text")]
        if (
            len(texts) == len(row["evidence"]) == 1
            and operands
            and all(number in texts[0] for number in operands)
        ):
            yield from _finqa_text(question, texts[0], operands, lines, group, chance)
        elif context["table"]:
            table = grid(context["table"], header_rows(context["table"]))
            yield from _operands(question, row["program"].replace("#", ""), table, group, "finqa")


def _finqa_text(
    question: str,
    text: str,
    operands: Sequence[str],
    lines: Sequence[str],
    group: str,
    chance: random.Random,
) -> Iterator[Pair]:
    right = Pair(question, SentencePlace("", text), 1, "number", "right", group, "finqa")
    at = lines.index(text) if text in lines else 0
    beside = [
        line for line in (*lines[max(0, at - 1) : at], *lines[at + 1 : at + 2]) if line != text
    ]
    yield from prose_pairs(right, text, beside, list(lines), chance)
    if len(operands) > 1:
        start = text.index(operands[0])
        yield right.wrong("basis", SentencePlace("", text, start, start + len(operands[0])))


def pubmedqa(data: Path, chance: random.Random) -> Iterator[Pair]:
    """PubMedQA: the sentence of the conclusion nearest to a yes/no question, against sentences of its background."""
    for row in rows(data / "train" / "pubmedqa.jsonl.xz"):
        if row["decision"] == "maybe":
            continue
        lines = split(row["long_answer"]) or [row["long_answer"]]
        best = max(lines, key=lambda line: overlap(row["question"], line))
        kind: Kind = "yes" if row["decision"] == "yes" else "no"
        right = Pair(
            row["question"],
            SentencePlace("", best),
            1,
            kind,
            "right",
            f"pubmedqa:{row['id']}",
            "pubmedqa",
        )
        background = split(row["contexts"][0]) if row["contexts"] else []
        yield from prose_pairs(right, best, background[-2:], background[:-2], chance)


def _tables(data: Path) -> Iterator[tuple[Grid, list[str], str]]:
    """The tables of TAT-QA and FinQA, each once, with the paragraphs around them and their group."""
    for context in rows(data / "tableqa_tatqa" / "contexts.jsonl"):
        yield (
            _tatqa_grid(context),
            [paragraph["text"] for paragraph in context["paragraphs"]],
            context["context_id"],
        )
    done = set()
    for row in rows(data / "train" / "finqa.jsonl.xz"):
        context = row["context"]
        cells = context["table"]
        if cells and str(cells) not in done:
            done.add(str(cells))
            texts = [*context["pre_text"], *context["post_text"]]
            yield grid(cells, header_rows(cells)), texts, f"finqa:{row['document']}"


def figures(data: Path, chance: random.Random) -> Iterator[Pair]:
    """Plain questions for single figures of the tables of TAT-QA and FinQA."""
    tables = list(_tables(data))
    scopes = sorted(
        {section for table, *_ in tables for section in table.sections if 2 < len(section) < 30}
    )
    for table, _, group in tables:
        yield from asked(table, scopes, group, "figures", chance)


def said_twice(data: Path, chance: random.Random) -> Iterator[Pair]:
    """Figures of the tables of TAT-QA and FinQA that a sentence beside them states too."""
    for table, texts, group in _tables(data):
        yield from stated(table, texts, group, "stated", chance)


Source = Callable[[Path, random.Random], Iterator[Pair]]
SOURCES: dict[str, tuple[Source, int]] = {
    "wtq": (wtq, 8_900),
    "wtq_dev": (wtq_dev, 740),
    "tatqa": (tatqa, 2_400),
    "covidqa": (covidqa, 2_700),
    "xquad": (xquad, 4_700),
    "nq": (nq, 2_000),
    "qasper": (qasper, 680),
    "finqa": (finqa, 380),
    "figures": (figures, 3_600),
    "stated": (said_twice, 1_400),
    "pubmedqa": (pubmedqa, 1_400),
    "concepts": (concepts, 26_000),
}
"""Every set, and the most pairs that are taken of it: no set may drown the others."""
