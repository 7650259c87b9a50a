"""What a question names that no document holds, over reports made by hand."""

import sqlite3

import pytest

from pincite.check.absence import missing
from pincite.indexing import Wanted
from pincite.search.question_names import names
from pincite.types import Query
from pincite.workbench.library import Library, index

REPORTS = {
    "contoso_2022.md": """# Contoso Foods plc: Annual Report 2022

Revenue of Contoso Foods rose to 12 million euros in 2022 (2021: 10 million euros). The chief executive is Mary N. Dillon.
The general meeting of the group re-elected Jakub Nowak. Two electric motors were replaced. Free cash flow was 1 million euros.

## Outlook

Contoso wants net zero emissions by 2050. The founders met in 1987 in Genoa. Its brand CrispyBites sells in Peru.
The plant in Genoa had 90 workers.
""",
    "fabrikam_2023.md": """# Fabrikam AG: Annual Report 2023

Fabrikam's revenue for 2022/23 was 7 million euros, and its return on equity (ROE) 8%. The general outlook is stable.
The general counsel is Ada Quist. All general expenses fell. In F21 two plants closed.
""",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("absent")
    for name, text in REPORTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    index([folder / name for name in REPORTS], folder / "corpus")
    return Library(folder / "corpus")


def reason(library, question, where=()):
    return missing(
        library.query(question, where), library.corpus, library.recipe.whole_pages(library.kit)
    )


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What was Nokia's revenue in 2022?", "Nokia"),
        ("Rivian net loss 2022", "Rivian"),
        ("Unilever turnover 2022", "Unilever"),
        ("Heineken: goodwill in 2022", "Heineken"),
        ("total assets of BMW in 2022", "BMW"),
        ("What dividend did General Motors pay?", "General Motors"),
        ("How old is Jakub Zielinski?", "Jakub Zielinski"),
        ("How many workers are there in Reykjavik?", "Reykjavik"),
        ("Which of Contoso, Fabrikam and Tailspin had the higher revenue?", "Tailspin"),
        ("Wie hoch war der Umsatz von Zalando im Jahr 2022?", "Zalando"),
        ("Wie viele Mitarbeiter hatte Siemens Healthineers im Jahr 2022?", "Siemens Healthineers"),
        ("Hur många anställda hade Spotify 2022?", "Spotify"),
    ],
)
def test_a_name_that_is_nowhere_is_missing(library, question, name):
    assert reason(library, question).startswith(f"no document names {name!r}; the documents are: ")


@pytest.mark.parametrize(
    "question",
    [
        "What was Contoso's revenue in FY22?",
        "what did contoso foods earn in 2022",
        "WHAT WAS CONTOSO'S REVENUE IN 2022?",
        "What Was The Free Cash Flow Of Contoso In 2022?",
        "Contozo revenue 2022",
        "Contosos revenue in 2021",
        "Is Mary Dillon the CEO of Contoso?",
        "Who is Jakob Nowak?",
        "What was Fabrikam's ROE?",
        "CAPEX of Contoso in 2022",
        "How many Crispy Bites were sold in Peru?",
        "What was Contoso's DSO in 2022?",
        "Wie hoch war der Umsatz von Contoso im Geschäftsjahr 2022?",
        "Wer ist der Vorstandsvorsitzende von Fabrikam?",
        "What did Fabrikam turn over in FY23?",
        "Fabrikam revenue 2022-23",
        "How did Contoso's revenue change from last year?",
        "Does Contoso want to be at net zero by 2050?",
        "Where did the founders of Contoso meet in 1987?",
        "Hazardous waste 2022",
        "Recycled materials 2022",
        "Decarbonisation target",
        "How many plants did Fabrikam close in F21?",
    ],
)
def test_what_only_looks_absent_is_there(library, question):
    assert reason(library, question) == ""


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("What will Contoso's revenue be in 2031?", "2031"),
        ("Contoso revenue FY98", "1998"),
        ("What was Contoso's revenue in 2009/10?", "2010"),
    ],
)
def test_a_year_outside_the_periods_is_missing(library, question, year):
    assert reason(library, question).startswith(
        f"no document covers {year} for this question; the periods are 2022"
    )


def test_a_year_that_stands_there_of_something_else_is_missing(tmp_path):
    """On a page of its own, beside none of the words of the question."""
    text = "Contoso Annual Report 2022\n\nRevenue was 12 million euros in 2022.\n\fThe founders met in 1987 in Genoa.\n"
    (tmp_path / "contoso.txt").write_text(text, encoding="utf-8")
    index([tmp_path / "contoso.txt"], tmp_path / "corpus")
    library = Library(tmp_path / "corpus")
    assert "1987" in reason(library, "What revenue did Contoso have in 1987?")
    assert reason(library, "Where did the founders of Contoso meet in 1987?") == ""


def test_only_the_documents_that_are_asked_count(library):
    where = (("document", ("fabrikam_2023.md",)),)
    assert reason(library, "Who is Jakub Nowak?") == ""
    assert "Jakub Nowak" in reason(library, "Who is Jakub Nowak?", where)
    assert "Contoso" in reason(library, "What was Contoso's revenue in 2022?", where)


def test_a_question_is_refused_with_the_reason_by_every_way_to_ask(library):
    question = "What was Nokia's revenue in 2022?"
    alone = library.ask(question)
    assert alone.value is None and alone.reason.startswith("no document names 'Nokia'")
    assert [one.reason for one in library.answer_many([Query(question)])] == [alone.reason]
    together = library.ask("Which of Contoso, Fabrikam and Nokia had the higher revenue?")
    assert together.value is None and "Nokia" in together.reason
    assert library.ask("What was Contoso's revenue in 2022?").reason != alone.reason


def test_a_name_that_stands_in_a_cell_of_a_database_is_there(tmp_path):
    with sqlite3.connect(tmp_path / "stock.sqlite") as connection:
        connection.execute("CREATE TABLE supplier (name TEXT PRIMARY KEY, city TEXT)")
        connection.execute("INSERT INTO supplier VALUES ('Woodgrove', 'Oslo')")
    (tmp_path / "note.md").write_text("# Contoso 2022\n\nContoso buys boards.\n", encoding="utf-8")
    index(
        [tmp_path / "note.md"], tmp_path / "corpus", databases=[Wanted(tmp_path / "stock.sqlite")]
    )
    library = Library(tmp_path / "corpus")
    assert reason(library, "In which city is Woodgrove?") == ""
    assert "Nokia" in reason(library, "In which city is Nokia?")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What did Foot Locker's Mary Dillon earn in May 2022?", ["Foot Locker's", "Mary Dillon"]),
        ("nokia revenue", []),
        ("NOKIA REVENUE", []),
        ("Total Revenue Of The Nokia Group", []),
        ("Who leads the U.S. arm in Q3 FY22?", []),
    ],
)
def test_names_stand_with_a_capital_that_tells(text, found):
    assert [text[run[0].start : run[-1].end] for run in names(text)] == found
