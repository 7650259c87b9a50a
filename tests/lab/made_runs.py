"""Two small runs of invented questions, as the laboratory writes them."""

import json

GOLDS = [
    {"id": "1", "question": "How many ships?", "answer": "12", "answer_type": "integer", "doc_ids": ["a.pdf"],
     "evidence_pages": [3], "evidence_sources": ["Table"]},
    {"id": "2", "question": "Which colour?", "answer": "deep blue", "answer_type": "text", "doc_ids": ["a.pdf"],
     "evidence_pages": [4, 5], "evidence_sources": ["Pure-text (Plain-text)", "Table"]},
    {"id": "3", "question": "Who sang?", "answer": "", "answer_type": "unanswerable", "doc_ids": ["b.pdf"],
     "evidence_pages": []},
    {"id": "4", "question": "What share <b>sank</b>?", "answer": "30%", "answer_type": "number", "doc_ids": ["b.pdf"],
     "evidence_pages": [1], "evidence_sources": ["Table"]},
]  # fmt: skip


def hit(document, page, score):
    return {
        "document": document,
        "page": page,
        "score": score,
        "node": f"{document}{page}",
        "kind": "page",
    }


def said(identity, value, page=0, confidence=0.5, document="a.pdf"):
    cited = [{"document": document, "page": page, "quote": f"on page {page}"}] if page else []
    return {
        "id": identity, "value": value, "refused": value is None, "confidence": confidence, "citations": cited,
        "checks": [{"claim": "c", "verdict": "supported", "how": "it stands there"}] if cited else [],
        "reason": "nothing was found" if value is None else "",
    }  # fmt: skip


FIRST = {
    "hits": {
        "1": [hit("a.pdf", 3, 0.9), hit("a.pdf", 7, 0.1)],
        "2": [hit("a.pdf", 1, 0.8), hit("a.pdf", 4, 0.6), hit("a.pdf", 9, 0.0)],
        "3": [hit("b.pdf", 2, 0.4)],
        "4": [hit("a.pdf", 1, 0.5), hit("b.pdf", 2, 0.3)],
    },
    "answers": [
        said("1", 12, 3, 0.9),
        said("2", "deep blue", 1, 0.6),
        said("3", "a choir", 2, 0.3),
        said("4", None),
    ],
}
SECOND = {
    "hits": {
        "1": [hit("a.pdf", 3, 0.9)],
        "2": [hit("a.pdf", 5, 0.8), hit("a.pdf", 4, 0.6)],
        "3": [],
        "4": [hit("b.pdf", 1, 0.5)],
    },
    "answers": [
        said("1", 12, 3, 0.8),
        said("2", "red", 4, 0.4),
        said("3", None),
        said("4", 0.3, 1, 0.7, "b.pdf"),
    ],
}


def write(folder, name, run, seconds=0.5, answers=True, golds=GOLDS, **told):
    """The run as a folder."""
    place = folder / name
    place.mkdir(parents=True)

    def lines(file, rows):
        (place / file).write_text(
            "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
        )

    lines("golds.jsonl", golds)
    lines("hits.jsonl", [{"id": key, "hits": hits} for key, hits in run["hits"].items()])
    if answers:
        lines("answers.jsonl", run["answers"])
    times = {
        "search_s": seconds,
        "answer_s": seconds,
        "tokens_in": 0,
        "tokens_out": 0,
        "cost": "0",
    }
    lines("times.jsonl", [{"id": gold["id"], **times} for gold in golds])
    told = {
        "name": name,
        "set": "invented",
        "recipe": "default",
        "stand_ins": [],
        "spelling": "Find(k=3) >> Say()",
        **told,
    }
    (place / "run.json").write_text(json.dumps(told), encoding="utf-8")
    return place
