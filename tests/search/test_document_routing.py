from dataclasses import dataclass, field

import pytest

from pincite.search.document_routing import Catalogue, route


@dataclass
class Paper:
    id: str
    title: str = ""
    meta: dict = field(default_factory=dict)
    declared: dict = field(default_factory=dict)


PAPERS = [
    Paper(
        "CONTOSOFOODS_2020_10K.pdf",
        meta={"year": "2020", "kind": "10-K", "company": "CONTOSO FOODS, INC."},
    ),
    Paper(
        "CONTOSOFOODS_2021_10K.pdf",
        meta={"year": "2021", "kind": "10-K", "company": "CONTOSO FOODS, INC."},
    ),
    Paper("CONTOSOFOODS_2021Q2_10Q.pdf", meta={"year": "2021", "kind": "10-Q"}),
    Paper(
        "fabrikam-annual-report.pdf", "Annual report", {"company": "Fabrikam plc", "year": "2021"}
    ),
    Paper(
        "0b1c2d.pdf", "Quokka: a small model of the sea", {"authors": "Ada Byron, Grace Murray"}
    ),
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
        (
            "What did Contoso Foods sell in FY2021?",
            ["CONTOSOFOODS_2021_10K.pdf", "CONTOSOFOODS_2021Q2_10Q.pdf"],
        ),
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
    [
        "What was revenue in 2021?",
        "Which annual report is the longest?",
        "The Sea is what?",
        "",
        "the State of Models",
    ],
)
def test_a_question_that_names_nothing_routes_nowhere(question):
    assert route(question, CATALOGUE) == []


def test_another_year_counts_less_but_counts():
    weights = {
        PAPERS[one.position].id: one.weight for one in route("Contoso Foods in 2020?", CATALOGUE)
    }
    assert weights["CONTOSOFOODS_2020_10K.pdf"] == 1.0
    assert weights["CONTOSOFOODS_2021_10K.pdf"] == pytest.approx(0.6)


def test_a_name_inside_a_longer_one_is_not_meant():
    catalogue = Catalogue.of(
        [
            Paper("a.pdf", meta={"company": "Woodgrove Energy AS"}),
            Paper("energy.pdf"),
            Paper("c.pdf"),
        ]
    )
    assert [one.position for one in route("What did Woodgrove Energy emit?", catalogue)] == [0]
    assert [one.position for one in route("How does the Energy paper end?", catalogue)] == [1]


def test_lower_case_counts_half():
    (one,) = route("how large is the margin of fabrikam?", CATALOGUE)
    assert one.weight == 0.5
    assert one.why == "names 'fabrikam'"


def test_a_name_that_most_documents_carry_tells_nothing():
    same = {"company": "Acme"}
    catalogue = Catalogue.of(
        [Paper("a.pdf", meta=same), Paper("b.pdf", meta=same), Paper("c.pdf")]
    )
    assert route("What did Acme earn?", catalogue) == []


def test_years_tell_the_files_of_one_company_apart():
    catalogue = Catalogue.of(
        [Paper("ACME_2019.pdf"), Paper("ACME_2020.pdf"), Paper("ACME_2021.pdf")]
    )
    assert route("What did ACME earn in 2020?", catalogue)[0].position == 1


def test_no_documents():
    assert route("What did Contoso sell?", Catalogue.of([])) == []


DECLARED = [
    Paper(
        "a1.pdf",
        declared={
            "company": "Contoso plc",
            "year": "2022",
            "kind": "Annual report",
            "language": "English",
        },
    ),
    Paper(
        "a2.pdf",
        declared={
            "company": "Contoso plc",
            "year": "2023",
            "kind": "Annual report",
            "language": "English",
        },
    ),
    Paper(
        "a3.pdf",
        declared={
            "company": "Contoso plc",
            "year": "2023",
            "kind": "Annual report",
            "language": "de",
        },
    ),
    Paper(
        "a4.pdf",
        declared={
            "company": "Contoso plc",
            "year": "2023",
            "kind": "sustainability report",
            "language": "en",
        },
    ),
    Paper(
        "b1.pdf",
        declared={
            "company": "Fabrikam AB",
            "alias": "FabriCo; Northern Works",
            "period": "Q3 2023",
        },
    ),
    Paper("c1.pdf", "Slides"),
]
for one in DECLARED:
    one.meta = dict(one.declared)


def weighed(question, papers=DECLARED):
    routed = route(question, Catalogue.of(papers))
    return {papers[one.position].id: round(one.weight, 3) for one in routed}


@pytest.mark.parametrize(
    ("question", "first"),
    [
        (
            "What did Contoso earn in 2022?",
            {"a1.pdf"},
        ),  # most documents carry the name, and the metadata gives it
        ("What does Contoso's sustainability report say of water in 2023?", {"a4.pdf"}),
        ("What does the German annual report of Contoso say?", {"a3.pdf"}),
        ("What did Northern Works sell?", {"b1.pdf"}),
        ("What did FabriCo sell in Q3 2023?", {"b1.pdf"}),
        ("Which risks do the sustainability reports name?", {"a4.pdf"}),
        ("What was revenue in 2022?", {"a1.pdf"}),
        ("What does the deutsch edition say?", {"a3.pdf"}),
    ],
)
def test_the_metadata_route_as_names_do(question, first):
    weights = weighed(question)
    assert {one for one, weight in weights.items() if weight == max(weights.values())} == first


def test_a_year_or_language_alone_prefers_and_leaves_nothing_out():
    assert weighed("What was revenue in 2022?") == {"a1.pdf": 0.4}
    assert weighed("How large is the German market?") == {"a3.pdf": 0.4}
    assert weighed("Which annual report is the longest?") == {
        "a1.pdf": 0.7,
        "a2.pdf": 0.7,
        "a3.pdf": 0.7,
    }
    assert weighed("What was revenue in 2021?") == {}  # of no document
    (why,) = {one.why for one in route("What was revenue in 2022?", Catalogue.of(DECLARED))}
    assert why == "of 2022 by the metadata"


def test_what_all_documents_are_tells_nothing():
    same = [
        Paper(
            f"{one}.pdf", declared={"year": "2023", "kind": "annual report", "company": "Contoso"}
        )
        for one in "abc"
    ]
    for one in same:
        one.meta = dict(one.declared)
    assert weighed("What does Contoso's annual report say of 2023?", same) == {}


def test_the_metadata_go_before_the_cover():
    held = {
        "company": "Auditors LLP",
        "year": "2019",
        "years": "2019 2020",
        "kind": "10-Q",
        "date": "May 1, 2019",
    }
    declared = {"company": "Contoso", "year": "2022", "kind": "10-K"}
    papers = [
        Paper("x.pdf", meta={**held, **declared}, declared=declared),
        Paper("y.pdf"),
        Paper("z.pdf"),
    ]
    assert weighed("What did Auditors say?", papers) == {}
    assert weighed("What is in Contoso's 10-K of 2022?", papers) == {"x.pdf": 1.0}
    assert weighed("What is in Contoso's 10-Q?", papers) == {"x.pdf": 0.5}
    assert weighed("What did Contoso do in 2019?", papers) == {"x.pdf": 0.3}
