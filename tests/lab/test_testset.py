"""Test sets without a model: which sentences and cells are asked about, in what words, and with what gold."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.corpus import Corpus, Entryless
from pincite.errors import UsageError
from pincite.lab.experiments.experiment import read_examples
from pincite.lab.scoring.examples import judgements
from pincite.lab.scoring.typed_answers import right
from pincite.lab.testsets.cell_lookups import lookups
from pincite.lab.testsets.cloze import cloze, gaps, stands_alone
from pincite.lab.testsets.generation import generated
from pincite.lab.testsets.gold_rows import names
from pincite.records.runfile import Record
from pincite.types import Anchor, Cell, Document, Node, Table
from pincite.workbench.batch import read_questions


def listed(document):
    return Entryless(**{"id": "", "version": "v", "source": "", "title": "", "date": "", "language": "", "pages": 1, "tables": 0,
                        "meta": {}, **document})  # fmt: skip


def document(*nodes):
    return Document("d.pdf", "v", nodes=nodes)


def sentences(*texts):
    root = Node("p", "paragraph", "", Anchor("s"))
    return document(
        root,
        *(
            Node(f"s{at}", "sentence", text, Anchor("s", ((at + 1, None),)), "p")
            for at, text in enumerate(texts)
        ),
    )


def table(rows, header_rows=1, header_columns=1, **more):
    cells = tuple(
        Cell(r, c, text)
        for r, row in enumerate(rows)
        for c, text in enumerate(row)
        if text is not None
    )
    return Table(cells, header_rows, header_columns, **more)


def tables(*held):
    return document(
        *(
            Node(f"t{at}", "table", "", Anchor("s", ((at + 1, None),)), table=one)
            for at, one in enumerate(held)
        )
    )


def asked(rows):
    return {row["question"]: row["answer"] for row in rows}


# ---- sentences

MINE = "The Tarn quarry delivered 48,200 tonnes of gravel to the harbour in the second half of the year."
BOARD = "The supervision of the audit is a task of Mara Lindqvist since the spring of that year."


def test_a_number_is_taken_out_and_is_the_gold():
    (row,) = cloze(sentences(MINE), "Ferrow 2019")
    gap = MINE.replace("48,200", "____")
    assert row["question"] == f'According to Ferrow 2019, which number is missing here: "{gap}"'
    assert (row["answer"], row["answer_num"], row["unit"], row["kind"]) == (
        "48,200",
        "48200",
        "t",
        "number",
    )
    assert row["evidence"] == [{"doc_id": "d.pdf", "page": 1}]
    assert row["source"]["sentence"] == MINE


def test_a_name_is_taken_out_where_there_is_no_number():
    (row,) = cloze(sentences(BOARD), "Ferrow 2019")
    assert (row["answer"], row["kind"]) == ("Mara Lindqvist", "name")
    assert "____ since the spring" in row["question"]


def test_a_gap_that_could_be_filled_in_two_ways_is_not_asked_about():
    assert cloze(sentences(MINE, MINE.replace("48,200", "51,300")), "x") == []


@pytest.mark.parametrize(
    "text",
    [
        "This was an increase of 12% over what the quarry had delivered in the first half of the year.",  # points back
        "See the table of the deliveries to the harbour that was printed in the report of the board in 48 pages.",
        "Of the deliveries to the harbour",  # no sentence
        "Journal of Harbour Studies 34, 1 (2016), 135–174 with the notes of the editors and a list of the ports.",
        "Deliveries are shown in Table 12 of the report on the harbour and the quarry of the second half.",
    ],
)
def test_what_does_not_stand_alone_is_left_out(text):
    assert list(gaps(text)) == []


def test_years_and_ranges_and_names_of_things_are_no_gaps():
    text = "The rules of the harbour for the quarry in 2019 were written by the board in the room that is called SAB 118."
    assert stands_alone(text)
    assert list(gaps(text)) == []


# ---- cells

BALANCE = [
    ["", "2019", "2018"],
    ["Inventories", "1,250", "1,100"],
    ["Borrowings", "3,000", "(2,900)"],
    ["Total", "9", "8"],
]


def test_a_cell_is_asked_for_by_its_row_and_its_time():
    rows = lookups(tables(table(BALANCE, scale=1000, unit="EUR")), "Ferrow")
    assert (
        asked(rows)
        == {
            'According to Ferrow, what was "Inventories" for 2019?': "1,250",
            'According to Ferrow, what was "Inventories" for 2018?': "1,100",
            'According to Ferrow, what was "Borrowings" for 2019?': "3,000",  # not the one in parentheses, nor a total of what?
        }
    )
    row = rows[0]
    assert (row["answer_num"], row["unit"], row["scale"], row["answer_unit"]) == (
        "1250",
        "EUR",
        "thousand",
        "EUR",
    )
    assert row["source"]["cells"] == [[1, 1]]
    assert row["source"]["period"] == "2019"


def test_other_columns_are_named_as_columns_and_a_column_of_units_is_a_unit():
    held = table(
        [
            ["", "", "Denmark", "Norway"],
            ["Waste", "t", "12", "15"],
            ["Power", "GWh", "3.5", "4.1"],
        ],
        1,
        2,
    )
    rows = lookups(tables(held), "Solvik")
    assert 'According to Solvik, what is the figure for "Power" in the column "Norway"?' in asked(
        rows
    )
    assert {row["unit"] for row in rows} == {"t", "GWh"}


def test_the_same_words_for_two_values_need_the_section_or_the_table():
    first = table(
        [["", "2019"], ["Sales", "5"], ["Costs", "7"]], caption="Sales of the northern ports"
    )
    second = table(
        [["", "2019"], ["Sales", "6"], ["Costs", "7"]], caption="Sales of the southern ports"
    )
    rows = lookups(tables(first, second), "F")
    assert asked(rows) == {
        'According to F, what was "Costs" for 2019?': "7",
        'According to F, what was "Sales" for 2019 in the table "Sales of the northern ports"?': "5",
        'According to F, what was "Sales" for 2019 in the table "Sales of the southern ports"?': "6",
    }
    costs = next(row for row in rows if "Costs" in row["question"])
    assert costs["evidence"] == [{"doc_id": "d.pdf", "page": 1}, {"doc_id": "d.pdf", "page": 2}]
    unnamed = lookups(tables(replace(first, caption=""), replace(second, caption="")), "F")
    assert [row["id"] for row in unnamed] == [costs["id"]]


@pytest.mark.parametrize("cell", ["2019", "3-5", "–", "12 14", "5 (a)", "0"])
def test_cells_without_one_number_are_left_out(cell):
    assert lookups(tables(table([["", "Staff"], ["North", cell], ["South", "text"]])), "F") == []


# ---- a corpus


def test_names_are_titles_or_companies_or_file_names_and_differ():
    made = names([
        listed({"id": "a_report.pdf", "version": "1", "meta": {"company": "Acme", "year": "2020"}}),
        listed({"id": "b.pdf", "version": "2", "meta": {"company": "Acme", "year": "2020"}}),
        listed({"id": "x/annual-report_2021.pdf", "version": "3", "title": "Letter"}),
        listed({"id": "2312.04350.pdf", "version": "4", "title": "A Study of Ports"}),
    ])  # fmt: skip
    assert made == {
        "1": "Acme 2020 (a report)", "2": "Acme 2020 (b)", "3": "annual report 2021", "4": "A Study of Ports",
    }  # fmt: skip


def test_documents_take_turns_and_a_seed_repeats(example_corpus):
    with_seed = generated(Corpus(example_corpus), "tables", 10, 3)
    assert generated(Corpus(example_corpus), "tables", 10, 3) == with_seed
    assert generated(Corpus(example_corpus), "tables", 10, 4) != with_seed
    documents = {row["source"]["document"] for row in with_seed}
    assert len(with_seed) == 10 and len(documents) >= 2
    assert {row["source"]["seed"] for row in with_seed} == {3}


def test_every_cell_asked_for_stands_in_the_truth_of_the_example_reports(example_corpus, examples):
    truth = {
        (one["file"], one["page"], one["text"])
        for one in json.loads((examples / "truth.json").read_text(encoding="utf-8"))
    }
    rows = generated(Corpus(example_corpus), "tables", 500)
    assert len(rows) > 30
    for row in rows:
        place = row["evidence"][0]
        assert (place["doc_id"], place["page"], row["answer"]) in truth


def test_the_gold_is_right_under_the_rules_that_judge_it(example_corpus):
    for row in generated(Corpus(example_corpus), "tables", 40) + generated(
        Corpus(example_corpus), "documents", 20
    ):
        value = row.get("answer_num") or row["answer"]
        assert right(Record(row["id"], float(value) if "answer_num" in row else value), row)
        pages, documents = judgements(row)
        assert pages and set(documents) == {document for document, _ in pages}


def test_the_command_writes_a_file_that_batch_and_the_laboratory_read(example_corpus, tmp_path):
    out = tmp_path / "questions.jsonl"
    done = CliRunner().invoke(
        app,
        [
            "testset",
            "tables",
            "--corpus",
            str(example_corpus),
            "--out",
            str(out),
            "--n",
            "7",
            "--json",
        ],
    )
    assert done.exit_code == 0
    assert json.loads(done.stdout)["questions"] == 7
    asked_by_batch = read_questions(out)
    assert [one.id for one in asked_by_batch] == [one.id for one in read_examples(out)]
    assert all(one.kind == "number" and not one.documents for one in asked_by_batch)


def test_what_is_no_kind_of_test_set_is_refused(example_corpus, tmp_path):
    with pytest.raises(UsageError, match="documents or tables"):
        CliRunner().invoke(
            app,
            ["testset", "pictures", "--corpus", str(example_corpus), "--out", str(tmp_path / "q")],
            catch_exceptions=False,
        )
