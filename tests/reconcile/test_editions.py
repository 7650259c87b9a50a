"""Editions, restated years and contradictions, from files to answers; all values are written by hand."""

import json

import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.errors import UsageError
from pincite.formats.encoding import answer_from, answer_to
from pincite.records.answer_record import record
from pincite.settings import Settings
from pincite.workbench.library import Library, index

RULES = """This handbook says how the staff of Norrvik Logistics travel. It holds for all staff of Norrvik Logistics.

The daily allowance for travel within the country is {home} EUR. The daily allowance for travel abroad is {abroad} EUR.

Flights are booked by the travel desk. Trains are preferred for journeys of less than six hours. Receipts are handed in within
thirty days. A rented car is returned with a full tank. Questions about travel are answered by the travel desk.
"""
REPORT = """<html><head><title>Halden Marine plc annual report {year}</title></head><body>
<h1>Halden Marine plc annual report {year}</h1><p>For the year ended December 31, {year}.</p><h2>Key figures</h2>
<table><caption>Key figures in EUR million</caption><tr><th></th><th>{year}</th><th>{before}</th></tr>
<tr><td>Revenue</td><td>{revenue[0]}</td><td>{revenue[1]}</td></tr>
<tr><td>Operating profit</td><td>{profit[0]}</td><td>{profit[1]}</td></tr>
<tr><td>Order intake</td><td>{orders[0]}</td><td>{orders[1]}</td></tr>
<tr><td>Net debt</td><td>{debt[0]}</td><td>{debt[1]}</td></tr></table></body></html>"""
GATE = """Gate rules of Quenby

The gate of Quenby closes {}. Whoever comes later rings the bell. A guard writes down the name of each guest. Cars wait at the
line until the guard lifts the bar. Dogs are kept on a leash, and bicycles are pushed through the gate by hand.
"""
FILES = {
    "handbook_v1.txt": "Travel handbook\n\nVersion 1\n\nIssued: 3 March 2021\n\n" + RULES.format(home=42, abroad=61),
    "handbook_v2.txt": "Travel handbook\n\nVersion 2\n\nIssued: 12 June 2023\n\n" + RULES.format(home=48, abroad=70),
    "halden-annual-report-2022.html": REPORT.format(
        year=2022, before=2021, revenue=(120.4, 110.2), profit=(14.2, 12.0), orders=(131.7, 98.4), debt=(30.5, 33.1)
    ),
    "halden-annual-report-2023.html": REPORT.format(
        year=2023, before=2022, revenue=(131.0, 118.9), profit=(15.5, 14.2), orders=(140.2, 131.7), debt=(28.9, 30.5)
    ),
    "tarnby-brochure.txt": "Tarnby Systems\n\nThe range of the Aurora electric truck is 380 km. Its load is 12 tonnes.\n",
    "tarnby-memo.txt": "Aurora electric truck\n\nThe range of the Aurora electric truck is 410 km. It is charged at night.\n",
    "kelmar-memo.txt": "Boreas electric truck\n\nThe range of the Boreas electric truck is 290 km. It is charged at night.\n",
    "one/gate.txt": GATE.format("at 18 o'clock"),
    "two/gate.txt": GATE.format("at 20 o'clock"),
}  # fmt: skip
ABROAD = "What is the daily allowance for travel abroad?"


def put(folder, *names):
    """Write files into a folder."""
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(FILES[name], encoding="utf-8")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A corpus of the files."""
    folder = tmp_path_factory.mktemp("editions")
    put(folder, *FILES)
    index(folder, folder / ".corpus")
    return folder / ".corpus"


@pytest.fixture(scope="module")
def library(corpus):
    return Library(corpus, Settings(threshold=0.0))


def told(answer):
    """The answer's document and number, and those of what stands beside it."""

    def one(each):
        document = each.citations[0].document if each.citations else ""
        return document, next((word for word in each.text.split() if word[0].isdigit()), "")

    return one(answer), [(other.stands, *one(other)) for other in answer.others]


def test_the_newest_edition_answers_and_the_older_is_named(library):
    answer = library.ask(ABROAD)
    assert told(answer) == (("handbook_v2.txt", "70"), [("superseded", "handbook_v1.txt", "61")])
    assert answer.date == "2023-06-12"
    assert answer.others[0].date == "2021-03-03"
    assert answer.others[0].checks[0].verdict == "supported"


@pytest.mark.parametrize(
    ("as_of", "value"),
    [("2022", "61"), ("2023-06-11", "61"), ("2023-06-12", "70"), ("2026", "70")],
)
def test_as_of(library, as_of, value):
    assert told(library.ask(ABROAD, as_of=as_of))[0][1] == value


def test_as_of_the_newest_date_is_now(library):
    now, then = library.ask(ABROAD), library.ask(ABROAD, as_of="2023-12-31")
    assert told(now) == told(then) and now.query.without == then.query.without


def test_an_edition_that_the_question_names_answers(library):
    answer = library.ask(
        "What is the daily allowance for travel abroad in version 1 of the handbook?"
    )
    assert told(answer) == (("handbook_v1.txt", "61"), [("newer", "handbook_v2.txt", "70")])


def test_a_document_that_the_filter_names_is_asked(library):
    answer = library.ask(ABROAD, where=(("document", ("handbook_v1.txt",)),))
    assert told(answer)[0] == ("handbook_v1.txt", "61")


def test_search_finds_the_edition_in_force(library):
    assert library.search("daily allowance abroad", 1)[0].document == "handbook_v2.txt"
    assert (
        library.search("daily allowance abroad", 1, as_of="2022")[0].document == "handbook_v1.txt"
    )


def test_a_date_that_is_none(library):
    with pytest.raises(UsageError, match="2019-05-01"):
        library.query(ABROAD, as_of="May 2022")


def test_a_restated_year(library):
    answer = library.ask("What was the revenue of Halden Marine in 2022?")
    beside = [("superseded", "halden-annual-report-2022.html", "120.4")]
    assert told(answer) == (("halden-annual-report-2023.html", "118.9"), beside)
    assert "restated in halden-annual-report-2023.html" in answer.others[0].reason


def test_a_year_that_is_not_restated_is_told_by_its_own_report(library):
    answer = library.ask("What was the operating profit of Halden Marine in 2022?")
    assert told(answer) == (("halden-annual-report-2022.html", "14.2"), [])


def test_what_an_earlier_report_said(library):
    answer = library.ask(
        "What was the revenue of Halden Marine in 2022 according to its 2022 annual report?"
    )
    beside = [("newer", "halden-annual-report-2023.html", "118.9")]
    assert told(answer) == (("halden-annual-report-2022.html", "120.4"), beside)


def test_before_it_was_restated(library):
    answer = library.ask("What was the revenue of Halden Marine in 2022?", as_of="2023-06")
    assert told(answer) == (("halden-annual-report-2022.html", "120.4"), [])


def test_contradicting_documents_are_shown_side_by_side(library):
    answer = library.ask("What is the range of the Aurora electric truck?")
    assert {answer.citations[0].document, answer.others[0].citations[0].document} == {
        "tarnby-brochure.txt",
        "tarnby-memo.txt",
    }
    assert [other.stands for other in answer.others] == ["contradicts"]


def test_a_fact_of_something_else_contradicts_nothing(library):
    answer = library.ask("What is the range of the Boreas electric truck?")
    assert answer.citations[0].document == "kelmar-memo.txt" and answer.others == ()


def test_the_record_says_how_others_stand(library):
    answer = library.ask(ABROAD)
    made = record(answer, "x")["others"][0]
    assert (made["stands"], made["agrees"], made["date"]) == ("superseded", False, "2021-03-03")
    assert made["reason"] == "handbook_v1.txt is replaced by handbook_v2.txt"
    assert answer_from(json.loads(json.dumps(answer_to(answer)))) == answer


def test_the_order_of_indexing_does_not_matter_and_without_the_newer_the_older_answers(
    corpus, tmp_path
):
    newest_first = sorted(FILES, reverse=True)
    for some in (newest_first[:5], newest_first[5:]):
        put(tmp_path, *some)
        index(tmp_path, tmp_path / ".corpus")
    again = Library(tmp_path / ".corpus", Settings(threshold=0.0))
    assert (
        again.corpus.generation.series
        == Library(corpus, Settings(threshold=0.0)).corpus.generation.series
    )
    (tmp_path / "handbook_v2.txt").unlink()
    index(tmp_path, tmp_path / ".corpus")
    assert told(Library(tmp_path / ".corpus", Settings(threshold=0.0)).ask(ABROAD)) == (
        ("handbook_v1.txt", "61"),
        [],
    )


def test_editions_of_which_nothing_tells_the_newer_contradict(library):
    answer = library.ask("When does the gate of Quenby close?")
    assert [other.stands for other in answer.others] == ["contradicts"]
    assert {told(answer)[0][0], told(answer)[1][0][1]} == {"one/gate.txt", "two/gate.txt"}


def test_metadata_say_what_supersedes_what(tmp_path):
    (tmp_path / "files").mkdir()
    for name, value in (("winter.txt", 12), ("summer.txt", 17)):
        (tmp_path / "files" / name).write_text(
            f"Gate rules {name}\n\nThe gate of Tarnby closes at {value} o'clock.\n",
            encoding="utf-8",
        )
    (tmp_path / "about.csv").write_text(
        "file,supersedes,date\nsummer.txt,winter.txt,2022-05-01\nwinter.txt,,2021-11-01\n",
        encoding="utf-8",
    )
    index(tmp_path / "files", tmp_path / "corpus", metadata=tmp_path / "about.csv")
    library = Library(tmp_path / "corpus", Settings(threshold=0.0))
    assert library.query("When does the gate close?").without == ("winter.txt",)
    assert library.query("When does the gate close?", as_of="2021-12").without == ("summer.txt",)


def test_status_shows_the_series(corpus):
    shown = CliRunner().invoke(app, ["status", "--corpus", str(corpus)]).output
    assert "handbook_v1.txt: replaced by handbook_v2.txt (its mark and wording)" in shown
    assert "series halden annual report: 2022, 2023" in shown
    series = json.loads(
        CliRunner().invoke(app, ["status", "--corpus", str(corpus), "--json"]).output
    )["series"]
    assert {one["editions"][0]["document"]: one["editions"][0]["replaced_by"] for one in series} == {
        "halden-annual-report-2022.html": "", "one/gate.txt": "", "handbook_v1.txt": "handbook_v2.txt",
    }  # fmt: skip


def test_as_of_on_the_command_line(corpus):
    ask = ["ask", ABROAD, "--corpus", str(corpus), "--no-model", "--json", "--as-of"]
    sure_or_not = CliRunner(env={"PINCITE_THRESHOLD": "0"})
    assert "61" in json.loads(sure_or_not.invoke(app, [*ask, "2022"]).output)["text"]
    wrong = CliRunner().invoke(app, [*ask, "yesterday"])
    assert isinstance(wrong.exception, UsageError)


def test_what_was_removed_leaves_no_trace_and_its_citations_say_so(tmp_path):
    put(tmp_path, "tarnby-memo.txt", "kelmar-memo.txt")
    folder = tmp_path / ".corpus"
    index(tmp_path, folder)
    asked = "What is the range of the Boreas electric truck?"
    run, at = CliRunner().invoke, ["--corpus", str(folder)]
    first = json.loads(run(app, ["ask", asked, *at, "--no-model", "--json"]).output)
    assert "290" in first["text"]
    assert run(app, ["remove", "kelmar-memo.txt", *at]).exit_code == 0
    after = run(app, ["ask", asked, *at, "--no-model", "--json"]).output
    assert "290" not in after and "kelmar" not in after
    shown = run(app, ["show", first["citations"][0]["id"], *at])
    assert shown.exit_code != 0
    assert "kelmar-memo.txt has been removed from the corpus" in str(
        shown.exception or shown.output
    )
