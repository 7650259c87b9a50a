import pytest

from pincite.search.company_scope import Scope, companies
from pincite.types import Query


class Listed:
    def __init__(self, number, company, guess="", alias=""):
        self.id = f"{number}.pdf"
        self.meta = {"company": company or guess}
        self.declared = {"alias": alias} if alias else {}


class Reports:
    """A corpus of five companies; the first has two reports."""

    listed = tuple(
        Listed(number, company)
        for number, company in enumerate(
            [
                "Contoso Foods plc",
                "Contoso Foods plc",
                "Fabrikam AG",
                "Tailspin Toys, Inc.",
                "Tailspin Air Ltd",
                "Bank of Tarn",
            ]
        )
    ) + (Listed(6, "", "Woodgrove SE"),)

    def select(self, where):
        documents = dict(where).get("document")
        return tuple(one for one in self.listed if documents is None or one.id in documents)


def named(text, where=()):
    return [(one.name, one.documents) for one in companies(Query(text, where=where), Reports())]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is the revenue of Contoso Foods plc?", [("Contoso Foods plc", ("0.pdf", "1.pdf"))]),
        (
            "Did Fabrikam's margin beat that of Contoso?",
            [("Fabrikam", ("2.pdf",)), ("Contoso", ("0.pdf", "1.pdf"))],
        ),
        ("Who leads Tailspin Toys, Inc. today?", [("Tailspin Toys, Inc.", ("3.pdf",))]),
        ("Who leads Tailspin?", []),  # two companies are called so
        ("What does the bank of the river say about Woodgrove?", [("Woodgrove", ("6.pdf",))]),
        ("Is the Bank of Tarn solvent?", [("Bank of Tarn", ("5.pdf",))]),
        (
            'Which is larger: "Fabrikam Holding", "Northwind"?',
            [("Fabrikam Holding", ("2.pdf",)), ("Northwind", ())],
        ),
        ('What does "Goodwill" mean?', []),
    ],
)
def test_companies_are_named_as_the_question_writes_them(text, found):
    assert named(text) == found


def test_a_company_that_was_renamed_is_one_by_the_name_that_both_declare():
    class Renamed(Reports):
        listed = (
            Listed(1, "Wing Systems Inc", alias="Wing"),
            Listed(2, "Wing Inc", alias="Wing"),
            *Reports.listed,
        )

    for text in ("What did Wing sell?", "What did Tailspin sell?"):
        found = [one.documents for one in companies(Query(text), Renamed())]
        assert found == ([("1.pdf", "2.pdf")] if "Wing" in text else [])


def test_a_year_is_nobody():
    corpus = Reports()
    corpus.listed = (
        *Reports.listed,
        Listed(7, "", "2023 Company"),
        Listed(8, "", "2023 Mills Ltd"),
    )
    assert [
        one.name for one in companies(Query("What did Fabrikam pay in May 2023?"), corpus)
    ] == ["Fabrikam"]


def test_every_mention_is_a_place():
    text = "Fabrikam or Contoso: is Fabrikam AG larger?"
    (one, _) = companies(Query(text), Reports())
    assert [text[start:end] for start, end in one.spans] == ["Fabrikam", "Fabrikam AG"]


def test_only_documents_that_the_question_is_asked_of():
    assert named("Contoso or Fabrikam?", where=(("document", ("1.pdf", "3.pdf")),)) == [
        ("Contoso", ("1.pdf",))
    ]


def test_one_company_scopes_the_question_and_two_do_not():
    assert Scope(Reports())(Query("Who leads Fabrikam?")).where == (("document", ("2.pdf",)),)
    for text in ("Who leads?", "Is Fabrikam larger than Contoso?"):
        assert Scope(Reports())(Query(text)) == Query(text)
