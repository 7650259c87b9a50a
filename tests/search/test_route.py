from dataclasses import dataclass, field

import pytest

from pincite.search.route import Catalogue, route


@dataclass
class Paper:
    id: str
    title: str = ""
    meta: dict = field(default_factory=dict)
    declared: dict = field(default_factory=dict)


PAPERS = [
    Paper("CONTOSOFOODS_2020_10K.pdf", meta={"year": "2020", "form": "10-K", "company_guess": "CONTOSO FOODS, INC."}),
    Paper("CONTOSOFOODS_2021_10K.pdf", meta={"year": "2021", "form": "10-K", "company_guess": "CONTOSO FOODS, INC."}),
    Paper("CONTOSOFOODS_2021Q2_10Q.pdf", meta={"year": "2021", "form": "10-Q"}),
    Paper("fabrikam-annual-report.pdf", "Annual report", {"company": "Fabrikam plc", "year": "2021"}),
    Paper("0b1c2d.pdf", "Quokka: a small model of the sea", {"authors": "Ada Byron, Grace Murray"}),
    Paper("TAILSPIN_8K_dated-2022-05-20.pdf"),
    Paper("northwind.pdf", "The state of things", {"year": "2019"}),
]
CATALOGUE = Catalogue.of(PAPERS)


def best(question):
    routed = route(question, CATALOGUE)
    return [PAPERS[one.position].id for one in routed if one.weight == routed[0].weight]


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("What did Contoso Foods sell in FY2021?", ["CONTOSOFOODS_2021_10K.pdf", "CONTOSOFOODS_2021Q2_10Q.pdf"]),
        ("What did Contoso sell in 2020?", ["CONTOSOFOODS_2020_10K.pdf"]),
        ("In its Q2 2021 10-Q, what did Contoso Foods sell?", ["CONTOSOFOODS_2021Q2_10Q.pdf"]),
        ("What is Fabrikam's margin?", ["fabrikam-annual-report.pdf"]),
        ("Fabrikam's margin is what?", ["fabrikam-annual-report.pdf"]),
        ("How large is Quokka?", ["0b1c2d.pdf"]),
        ("What do Byron and Murray propose?", ["0b1c2d.pdf"]),
        ("What did Tailspin announce on May 20, 2022?", ["TAILSPIN_8K_dated-2022-05-20.pdf"]),
        ("how large is the margin of fabrikam?", ["fabrikam-annual-report.pdf"]),
    ],
)
def test_the_surest(question, documents):
    assert best(question) == documents


@pytest.mark.parametrize(
    "question",
    ["What was revenue in 2021?", "Which annual report is the longest?", "The Sea is what?", "", "the State of Models"],
)
def test_a_question_that_names_nothing_routes_nowhere(question):
    assert route(question, CATALOGUE) == []


def test_another_year_counts_less_but_counts():
    weights = {PAPERS[one.position].id: one.weight for one in route("Contoso Foods in 2020?", CATALOGUE)}
    assert weights["CONTOSOFOODS_2020_10K.pdf"] == 1.0
    assert weights["CONTOSOFOODS_2021_10K.pdf"] == pytest.approx(0.6)


def test_a_name_inside_a_longer_one_is_not_meant():
    catalogue = Catalogue.of(
        [Paper("a.pdf", meta={"company": "Woodgrove Energy AS"}), Paper("energy.pdf"), Paper("c.pdf")]
    )
    assert [one.position for one in route("What did Woodgrove Energy emit?", catalogue)] == [0]
    assert [one.position for one in route("How does the Energy paper end?", catalogue)] == [1]


def test_lower_case_counts_half():
    (one,) = route("how large is the margin of fabrikam?", CATALOGUE)
    assert one.weight == 0.5
    assert one.why == "names 'fabrikam'"


def test_a_name_that_most_documents_carry_tells_nothing():
    same = {"company": "Acme"}
    catalogue = Catalogue.of([Paper("a.pdf", meta=same), Paper("b.pdf", meta=same), Paper("c.pdf")])
    assert route("What did Acme earn?", catalogue) == []


def test_years_tell_the_files_of_one_company_apart():
    catalogue = Catalogue.of([Paper("ACME_2019.pdf"), Paper("ACME_2020.pdf"), Paper("ACME_2021.pdf")])
    assert route("What did ACME earn in 2020?", catalogue)[0].position == 1


def test_no_documents():
    assert route("What did Contoso sell?", Catalogue.of([])) == []
