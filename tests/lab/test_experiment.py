import pytest

from pincite.errors import UsageError
from pincite.lab.experiments.experiment import read_examples, read_experiment
from pincite.recipes import recipe

WHOLE = """
corpora:
  reports: corpus
  papers: {index: [papers, more], metadata: papers.csv}
questions:
  reports: {from: q.jsonl, corpus: reports}
  papers: {from: p.jsonl, corpus: papers, scope: [own, all], limit: 3}
recipes:
  - default
  - {recipe: bm25, grid: {k_text: [5, 20], penalty: [0.5, 1]}}
  - {recipe: bm25, list: [{indexes: text}, {indexes: hybrid, k_text: 7}]}
answers: true
k: 20
limit: 50
stand-ins: true
seed: 7
"""


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "fusion.yaml"
        path.write_text(text)
        return path

    return write


def test_a_whole_file(written, tmp_path):
    made = read_experiment(written(WHOLE))
    assert (made.name, made.answers, made.k, made.stand_ins, made.seed) == (
        "fusion",
        True,
        20,
        True,
        7,
    )
    names = [one.name for one in made.trials]
    assert names[:7] == [
        "reports-default",
        "reports-bm25-k_text=5,penalty=0.5",
        "reports-bm25-k_text=5,penalty=1",
        "reports-bm25-k_text=20,penalty=0.5",
        "reports-bm25-k_text=20,penalty=1",
        "reports-bm25-indexes=text",
        "reports-bm25-indexes=hybrid,k_text=7",
    ]
    assert (
        names[7] == "papers-own-default" and names[14] == "papers-all-default" and len(names) == 21
    )
    assert made.trials[3].recipe == recipe("bm25", k_text=20, penalty=0.5)
    first, second = made.trials[0].questions, made.trials[7].questions
    assert (first.path, first.scopes, first.limit) == (tmp_path / "q.jsonl", ("all",), 50)
    assert (second.scopes, second.limit, second.corpus.metadata) == (
        ("own", "all"),
        3,
        tmp_path / "papers.csv",
    )
    assert first.corpus.folder == tmp_path / "corpus"
    assert second.corpus.paths == (tmp_path / "papers", tmp_path / "more")


def test_a_list_and_a_grid_make_every_combination_and_equal_runs_are_one(written):
    text = WHOLE.replace(
        "  - {recipe: bm25, grid: {k_text: [5, 20], penalty: [0.5, 1]}}",
        "  - {recipe: bm25, list: [{indexes: text}, {indexes: hybrid}], grid: {k1: [1, 2], b: 0.5}}",
    )
    made = [
        one.name
        for one in read_experiment(written(text)).trials
        if one.questions.name == "reports"
    ]
    assert made == [
        "reports-default",
        "reports-bm25-k1=1,b=0.5,indexes=text",
        "reports-bm25-k1=2,b=0.5,indexes=text",
        "reports-bm25-k1=1,b=0.5,indexes=hybrid",
        "reports-bm25-k1=2,b=0.5,indexes=hybrid",
        "reports-bm25-indexes=text",
        "reports-bm25-indexes=hybrid,k_text=7",
    ]
    doubled = WHOLE.replace(
        "  - default\n", "  - default\n  - {recipe: default, grid: {prefer: [5.0]}}\n"
    )
    assert len(read_experiment(written(doubled)).trials) == 21


def test_long_names_are_cut_and_stay_apart(written):
    several = ",".join(f"{n}.25" for n in range(30))
    text = WHOLE.replace("{k_text: [5, 20], penalty: [0.5, 1]}", "{k1: [1, 2]}").replace(
        "reports:", "r" * 90 + ":"
    )
    names = [
        one.name
        for one in read_experiment(
            written(text.replace("corpus: reports", f"corpus: {'r' * 90}"))
        ).trials
    ]
    assert max(map(len, names)) <= 100 and len(set(names)) == len(names)
    assert several


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (
            "k: 20",
            "kk: 20",
            "line 13: kk: there is no such key here; known: corpora, questions, recipes, answers, k",
        ),
        (
            "k: 20",
            "k: many",
            "line 13: k: a whole number from 1 to 1,000,000,000 is needed, not 'many'",
        ),
        (
            "answers: true",
            "answers: perhaps",
            "line 12: answers: true or false is needed, not 'perhaps'",
        ),
        (
            "- default",
            "- defualt",
            r"line 9: recipes\[1\]: there is no recipe 'defualt'; known: default, bm25",
        ),
        (
            "k_text: [5, 20]",
            "ktext: [5, 20]",
            r"line 10: recipes\[2\].*: bm25 has no parameter 'ktext'; it has k1=1.5",
        ),
        (
            "penalty: [0.5, 1]",
            "penalty: [0.5, x]",
            r"line 10: recipes\[2\].grid.penalty: penalty of bm25 must be a number",
        ),
        (
            "{indexes: text}",
            "{indexes: words}",
            r"line 11: recipes\[3\].list\[1\].indexes: .* one of routed, text, hybrid",
        ),
        (
            "recipe: bm25, list",
            "recipe: bm26, list",
            r"line 11: recipes\[3\].recipe: there is no recipe 'bm26'",
        ),
        (
            "scope: [own, all]",
            "scope: mine",
            "line 7: questions.papers.scope: own, all or a share .* not 'mine'",
        ),
        (
            "scope: [own, all]",
            "scope: [own, 1.5]",
            r"line 7: questions.papers.scope: own, all or a share",
        ),
        ("scope: [own, all]", "scope: []", "line 7: questions.papers.scope: own, all or a share"),
        (
            "corpus: papers",
            "corpus: paper",
            "line 7: questions.papers.corpus: no corpus is named 'paper'; known: reports",
        ),
        ("from: q.jsonl, ", "", "line 6: questions.reports: from is needed"),
        ("k: 20", "answers: false", "line 13: the key 'answers' appears here twice"),
        ("k: 20", "k: [20", "line .* is not valid YAML"),
        (
            "index: [papers, more]",
            "index: [papers, 3]",
            r"line 4: corpora.papers.index\[2\]: a path is needed, not 3",
        ),
        (
            "grid: {k_text: [5, 20], penalty: [0.5, 1]}",
            "grid: {k_text: []}",
            "a list of alternatives is needed",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line(written, was, now, said):
    assert was in WHOLE
    with pytest.raises(UsageError, match=said):
        read_experiment(written(WHOLE.replace(was, now, 1)))


def test_a_file_that_is_missing_or_empty(written, tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        read_experiment(tmp_path / "none.yaml")
    with pytest.raises(UsageError, match="a table with corpora, questions, recipes"):
        read_experiment(written("\n"))


def test_questions_from_a_file_keep_their_ids_and_gold(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text(
        '{"id": "x7", "question": "How  much?", "kind": "number", "doc_ids": ["a.pdf"], "answer": 3}\n'
    )
    (one,) = read_examples(path)
    assert (one.id, one.query.text, one.query.expects, one.query.where) == (
        "x7", "How much?", "number", (("document", ("a.pdf",)),),
    )  # fmt: skip
    assert one.meta["gold"]["answer"] == 3
    table = tmp_path / "q.csv"
    table.write_text("id,question,answer_value,answer_unit\nq1,How heavy?,5,kg\n")
    (row,) = read_examples(table)
    assert (row.id, row.query.unit, row.value) == ("q1", "kg", "5")


def test_questions_from_the_folder_of_a_data_set(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "questions.jsonl").write_text('{"question": "Why?", "answer": "because"}\n')
    assert [one.query.text for one in read_examples(folder)] == ["Why?"]
    beir = tmp_path / "beir"
    (beir / "qrels").mkdir(parents=True)
    (beir / "queries.jsonl").write_text('{"_id": "1", "text": "waves"}\n')
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\tdoc\t2\n")
    assert read_examples(beir)[0].meta["gold"]["qrels"] == {"doc.txt": 2}
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="not the folder of a data set"):
        read_examples(tmp_path / "empty")


def test_questions_that_cannot_be_asked(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "a", "question": "Why?"}\n{"id": "a", "question": "How?"}\n')
    with pytest.raises(UsageError, match="appear on several lines: a"):
        read_examples(path)
    path.write_text('{"id": "a", "question": " "}\n')
    with pytest.raises(UsageError, match="question a: the question is empty"):
        read_examples(path)
    with pytest.raises(UsageError, match="no questions at"):
        read_examples(tmp_path / "none.jsonl")
