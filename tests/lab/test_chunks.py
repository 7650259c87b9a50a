"""Gold that is chunks: which windows are a chunk, and runs scored by chunks where pages would hide the difference."""

import json
from uuid import NAMESPACE_DNS, uuid5

import pytest

from pincite.corpus import Corpus
from pincite.indexing import index
from pincite.lab.comparison.comparison import compare
from pincite.lab.experiments.experiment import read_experiment
from pincite.lab.experiments.finished_runs import read_run_folder
from pincite.lab.experiments.laboratory import run_experiment
from pincite.lab.scoring.evaluation import evaluate_run
from pincite.lab.scoring.gold_chunks import Window, chunk_id, gold_chunks, named_chunks
from pincite.lab.testsets.generation import generated
from pincite.lab.testsets.written_questions import write_documents
from pincite.ports import Kit
from pincite.search.index.token_windows import TokenWindows
from pincite.settings import Settings
from tests.stand_ins.fakes import HashEncoder, ScriptedModel

TEXT = "one two three four five six seven eight nine ten"
HERE = ("a", 1)


def test_a_chunks_id_is_that_of_written_questions(tmp_path):
    (tmp_path / "a.txt").write_text("The yard sold 150 logs in May. " * 30)
    index([tmp_path / "a.txt"], tmp_path / "corpus", ())

    def script(prompt, form):
        return {"piece": 2} if form.__name__ == "PickForm" else {"question": "How many logs?", "answer": "x"}  # fmt: skip

    corpus = Corpus(tmp_path / "corpus")
    made = write_documents(corpus, ScriptedModel(script), HashEncoder(), 1, tokens=64)
    row = made.rows[0]
    (page,) = row["nodes"]
    at = int(row["source"]["text"] != "")  # the second chunk
    wanted = uuid5(NAMESPACE_DNS, f"{row['source']['version']} {page} 64 {at}")
    assert (
        row["source"]["chunk"] == str(wanted) == chunk_id(row["source"]["version"], page, 64, at)
    )
    assert gold_chunks(row) == {str(wanted): row["source"]["text"]}


def test_a_window_is_the_gold_chunk_when_it_holds_more_than_half_of_it():
    gold = {"G": TEXT}  # six runs of five words
    windows = [
        Window("tail", HERE, "eight nine ten eleven twelve"),  # shares three words, no run
        Window("half", HERE, "one two three four five six seven"),  # three of the six runs
        Window("most", HERE, "zero one two three four five six seven eight"),  # four
        Window("whole", HERE, f"before {TEXT} after"),
        Window("elsewhere", ("a", 2), TEXT),
    ]
    named = named_chunks(windows, gold, frozenset({HERE}))
    assert named == ["tail", "half", "G", "elsewhere"]  # each chunk once, where it was first found
    assert named_chunks([Window("x", ("", 0), "")], gold, frozenset()) == ["x"]


@pytest.mark.parametrize(
    ("gold", "chunks"),
    [
        ({"chunks": [{"id": "1", "text": "a"}, {"id": "2", "text": "b"}]}, {"1": "a", "2": "b"}),
        ({"source": {"chunk": "3", "text": "c"}}, {"3": "c"}),
        ({"source": {"document": "d"}}, {}),
        ({"chunks": 7}, {}),
    ],
)
def test_gold_chunks_are_listed_or_those_a_question_was_written_about(gold, chunks):
    assert gold_chunks(gold) == chunks


def test_questions_about_sentences_have_the_chunks_that_hold_them(example_corpus):
    rows = generated(Corpus(example_corpus), "documents", 6)
    chunked = [row for row in rows if "chunks" in row]
    assert chunked
    for row in chunked:
        said = " ".join(row["source"]["sentence"].split())
        assert all(said in " ".join(one["text"].split()) for one in row["chunks"])


# ---- runs

FIRST = " ".join(f"harbour{n} crane" for n in range(20))
SECOND = " ".join(f"quarry{n} gravel" for n in range(20))


@pytest.fixture
def runs(tmp_path):
    """One page of two chunks of 40 tokens, a question about the second, and recipes that cut in 40 and in 80 tokens."""
    (tmp_path / "a.txt").write_text(f"{FIRST} {SECOND}")
    index([tmp_path / "a.txt"], tmp_path / "corpus", ())
    corpus = Corpus(tmp_path / "corpus")
    document = corpus.document(corpus.documents[0].version)
    windows = list(TokenWindows(HashEncoder(), 40, 0)(document))
    assert [window.text for window in windows] == [FIRST, SECOND]
    chunk = {"id": chunk_id(document.version, windows[1].node, 40, 1), "text": windows[1].text}
    gold = {"evidence": [{"doc_id": "a.txt", "page": 1}], "chunks": [chunk]}
    rows = [
        {"id": "second", "question": "quarry3 gravel quarry4", **gold},
        {"id": "misled", "question": "harbour3 crane harbour4 gravel", **gold},
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "lab.yaml").write_text(
        "corpora: {c: corpus}\nquestions: {c: {from: q.jsonl, corpus: c}}\nstand-ins: true\nrecipes:\n"
        "  - {recipe: baseline, grid: {chunk: [40, 80], overlap: [0], encoder: [built-in], rerank: [false]}}\n"
        "  - {recipe: bm25}\n"
        "  - {recipe: enterprise, grid: {chunk: [40], overlap: [0], encoder: [built-in], judged: [false]}}\n"
    )
    experiment = read_experiment(tmp_path / "lab.yaml")
    outcome = run_experiment(experiment, tmp_path / "runs", Settings(), Kit(HashEncoder(256)))
    assert not outcome.failed
    return [read_run_folder(folder) for folder in outcome.runs], chunk["id"]


def test_runs_are_scored_by_chunks_where_the_page_is_always_found(runs):
    (narrow, wide, words, pages), gold = runs
    assert narrow.chunks["second"][0] == gold and narrow.chunks["misled"][1] == gold
    assert wide.chunks["second"] == (gold,)  # one window holds both chunks
    made = compare([narrow, wide, words, pages])
    lines = {line.measure.name: line for line in made.under("all questions")}
    assert [value and value.value for value in lines["chunk RR"].values] == [0.75, 1.0, None, None]
    assert [value.value for value in lines["page RR"].values] == [1, 1, 1, 1]
    assert "page nDCG@10" not in lines and lines["chunk Success@1"].values[0].value == 0.5


def test_eval_scores_a_hits_file_by_chunks(runs, tmp_path):
    folder = next((tmp_path / "runs").glob("c-baseline-chunk=40*"))
    figures = evaluate_run(folder / "hits.jsonl", tmp_path / "q.jsonl", "retrieval")
    told = {each.metric: each.value for each in figures}
    assert told["chunk RR"] == 0.75 and told["chunk Success@1"] == 0.5
