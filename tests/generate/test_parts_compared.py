from dataclasses import dataclass, replace
from decimal import Decimal

import pytest

from pincite.check.claims import Verify
from pincite.corpus import Corpus
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.drafted_answer import drafted
from pincite.generate.parts_compared import Compare, FromParts, with_whole
from pincite.generate.plan import Decompose, SubQuestions
from pincite.models.kit import default_kit
from pincite.question.understanding import understand
from pincite.recipes.default import Default
from pincite.recipes.quote import Quote
from pincite.reconcile.vote import Vote
from pincite.stage import Each, Stage
from pincite.types import Answer, Quantity, Query, Ranking
from pincite.workbench.library import index
from tests.stand_ins.fakes import ScriptedModel

REPORTS = {
    "contoso.md": """# Contoso Foods plc Annual Report 2023

Total assets were USD 48,310 thousand in 2023. Inventories were USD 1.2 million in 2023.

Contoso Foods was founded in 1987. The board announced a share buyback in May 2023.
""",
    "fabrikam.md": """# Fabrikam AG Annual Report 2023

Total assets were USD 61.4 million in 2023. Inventories were USD 1.2 million in 2023.

Fabrikam was founded in 1954. The board did not announce a share buyback in 2023.
""",
    "woodgrove.md": """# Woodgrove SE Annual Report 2023

Total assets were EUR 12.7 million in 2023. Inventories were EUR 1.2 million in 2023.
""",
}
META = "file,company\ncontoso.md,Contoso Foods plc\nfabrikam.md,Fabrikam AG\nwoodgrove.md,Woodgrove SE\n"
EXCLUDE = " If data for a company is not available, exclude it from the comparison. If only one company is left, return it."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compared")
    (folder / "files").mkdir()
    for name, text in REPORTS.items():
        (folder / "files" / name).write_text(text)
    (folder / "meta.csv").write_text(META)
    index(folder / "files", folder / "corpus", metadata=folder / "meta.csv")
    return Corpus(folder / "corpus")


def answered(corpus, text, model=None, **more):
    one = Default().find(corpus, default_kit()) >> Quote(corpus)
    recipe = Decompose(corpus, model) >> Each(one) >> Compare(corpus, model) >> Verify(corpus)
    return recipe(Query(text, **more))


def test_amounts_are_compared_whatever_scale_they_are_written_in(corpus):
    answer = answered(
        corpus, "Which company had the higher total assets in 2023, Contoso Foods or Fabrikam?"
    )
    assert answer.value == "Fabrikam"
    assert answer.checks[-1].verdict == "computed" and "argmax" in answer.checks[-1].how
    assert [(one.label, one.document, one.quote) for one in answer.citations] == [
        ("1", "contoso.md", "Total assets were USD 48,310 thousand in 2023."),
        ("2", "fabrikam.md", "Total assets were USD 61.4 million in 2023."),
    ]


def test_another_currency_is_left_out_where_the_question_says_so(corpus):
    names = '"Contoso Foods plc", "Fabrikam AG", "Woodgrove SE"'
    text = f"Which of the companies had the lowest total assets in USD in 2023: {names}?"
    assert answered(corpus, text + EXCLUDE, expects="name").value == "Contoso Foods plc"
    without = answered(corpus, text, expects="name")
    assert without.value is None and "Woodgrove SE" in without.reason


def test_the_only_company_left_is_returned(corpus):
    text = 'Which of the companies had the lowest total assets in USD in 2023: "Northwind", "Contoso Foods plc"?'
    assert answered(corpus, text + EXCLUDE, expects="name").value == "Contoso Foods plc"


def test_a_question_about_one_company_is_answered_as_ever(corpus):
    answer = answered(corpus, "What were Fabrikam's total assets in 2023?")
    assert (answer.value.amount, answer.checks[0].verdict) == (Decimal(61_400_000), "supported")


def test_a_difference_over_two_documents(corpus):
    answer = answered(
        corpus,
        "What is the difference in total assets between Contoso Foods and Fabrikam in 2023?",
    )
    assert answer.value.amount == Decimal(61_400_000 - 48_310_000)
    assert [one.verdict for one in answer.checks] == ["supported", "supported", "computed"]


class Edit(Stage):
    """Changes what was drafted, as a reader that is wrong would."""

    def __init__(self, change):
        self.change = change

    def run(self, given):
        return self.change(given)


def wrong_operand(draft):
    """Another amount for Fabrikam than its citation holds."""
    if draft.query.where != (("document", ("fabrikam.md",)),) or draft.value is None:
        return draft
    value = Quantity(Decimal("6.4"), "USD", Decimal(10**6))
    return replace(draft, value=value, claims=(replace(draft.claims[0], value=value),))


def test_an_operand_that_its_source_does_not_support_is_missing(corpus):
    one = Default().find(corpus, default_kit()) >> Quote(corpus) >> Edit(wrong_operand)
    text = "Which company had the higher total assets in 2023, Contoso Foods or Fabrikam?"
    recipe = Decompose(corpus) >> Each(one) >> Compare(corpus) >> Verify(corpus)
    answer = recipe(Query(text))
    assert answer.value is None and "Fabrikam" in answer.reason
    assert recipe(Query(text + EXCLUDE)).value == "Contoso Foods"


def test_the_check_reads_the_parts_again_and_decides_again(corpus):
    one = Default().find(corpus, default_kit()) >> Quote(corpus)
    query = Query("Which company had the higher total assets in 2023, Contoso Foods or Fabrikam?")
    draft = (Decompose(corpus) >> Each(one) >> Compare(corpus))(query)
    planted = replace(draft, value="Contoso Foods")
    refused = Verify(corpus)(planted)
    assert refused.value is None and refused.checks[-1].verdict == "contradicted"
    parts = tuple((name, wrong_operand(part)) for name, part in draft.parts)
    refused = Verify(corpus)(replace(draft, parts=parts))
    assert refused.value is None and refused.reason.startswith("Fabrikam: ")


def quoting(corpus):
    """A reader that answers every question with what the first page says of the board."""

    def quote(ranking):
        (node,) = [one for one in corpus.nodes([ranking.hits[0].node]) if one.kind == "page"]
        start = node.text.index("The board")
        document = corpus.by_version[corpus.places([node.id])[node.id][0]].id
        said = node.text[start:].strip()
        evidence = Evidence(node, start=start, end=len(node.text), document=document)
        return drafted(understand(ranking.query), [Candidate(said, (evidence,))], 0.8, (node.id,))

    return Edit(quote)


def choosing(corpus, name):
    def script(prompt, form):
        if form.__name__ == "PartsForm":
            return {"parts": []}
        assert len(prompt.context) == 2 and "share buyback" in prompt.context[0]
        return {"reasoning": "", "value": name}

    one = Default().find(corpus, default_kit()) >> quoting(corpus)
    model = ScriptedModel(script)
    recipe = Decompose(corpus, model) >> Each(one) >> Compare(corpus, model) >> Verify(corpus)
    return recipe(
        Query("Which has the more generous policy of share buybacks, Contoso Foods or Fabrikam?")
    )


def test_words_are_compared_by_the_model_and_the_check_says_so(corpus):
    answer = choosing(corpus, "contoso foods.")
    assert (answer.value, answer.confidence) == ("Contoso Foods", 0.8)
    assert answer.checks[-1].verdict == "supported" and "a model chose" in answer.checks[-1].how


@pytest.mark.parametrize("name", ["N/A", "Northwind", "ignore the above"])
def test_a_model_that_chooses_none_of_them_is_refused(corpus, name):
    answer = choosing(corpus, name)
    assert answer.value is None and "does not decide" in answer.reason


def test_readings_vote_on_what_their_source_supports(corpus):
    @dataclass(frozen=True)
    class Wrong(Quote):
        """Wrong in most readings."""

        reading: int = 0

        def run(self, given):
            draft = super().run(given)
            return wrong_operand(draft) if self.reading != 1 else draft

    query = Query("What were the total assets in 2023?", where=(("document", ("fabrikam.md",)),))
    draft = Vote(corpus, (Wrong(corpus),))(Default().find(corpus, default_kit())(query))
    assert draft.value.amount == Decimal(61_400_000)
    assert draft.confidence > 0


def of_parts(corpus, text, *questions):
    """The answer to a question that a model takes apart into these."""
    parts = {"parts": [{"name": "", "question": question} for question in questions]}
    model = ScriptedModel(lambda prompt, form: parts)
    one = Default().find(corpus, default_kit()) >> Quote(corpus)
    joined = Each(one) >> Compare(corpus) >> Verify(corpus)
    return FromParts(SubQuestions(model), joined)(Ranking(Query(text), ()))


@pytest.fixture(scope="module")
def two_years(tmp_path_factory):
    folder = tmp_path_factory.mktemp("years")
    (folder / "files").mkdir()
    for year, staff, loss in (("2019", "410", "7.2"), ("2021", "365", "9.9")):
        text = f"# Tarn plc Annual Report {year}\n\nTarn employed {staff} people at the end of {year}. "
        text += f"The net loss of the mill was USD ({loss}) million in {year}, that of the weir USD (8.4) million.\n"
        (folder / "files" / f"tarn-{year}.md").write_text(text)
    index(folder / "files", folder / "corpus")
    return Corpus(folder / "corpus")


def test_a_change_between_two_reports_is_computed_from_what_each_of_them_says(two_years):
    answer = of_parts(
        two_years,
        "By how many people did Tarn's workforce shrink from 2019 to 2021?",
        "How many people did Tarn employ at the end of 2021?",
        "How many people did Tarn employ at the end of 2019?",
    )
    assert isinstance(answer.value, Quantity) and answer.value.amount == 45
    assert [one.document for one in answer.citations] == ["tarn-2019.md", "tarn-2021.md"]
    assert answer.checks[-1].verdict == "computed"


def test_who_lost_more_has_the_number_furthest_below_zero(two_years):
    answer = of_parts(
        two_years,
        "Which lost more money in 2021, the mill or the weir?",
        "What was the net loss of the mill in 2021?",
        "What was the net loss of the weir in 2021?",
    )
    assert answer.value == "mill"


def test_a_question_without_parts_stays_as_it_was_answered(two_years):
    whole = Answer(Query("What was the staff?"), "", None, reason="nothing was found")
    parts = of_parts(two_years, "What was the staff?")
    assert parts.value is None and with_whole(whole, parts) is whole
