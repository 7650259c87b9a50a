"""Every recipe against a model over real HTTP: how often it asks, for what, with how much, as its source has it."""

import re
from dataclasses import replace

import pytest

from pincite.errors import ModelMissing, UsageError
from pincite.generate import line_reading, rule_sentences
from pincite.generate.shown_pieces import pieces_of
from pincite.indexing import ensure
from pincite.indexing.enrichment import enrich, tellers
from pincite.models.kit import default_kit
from pincite.recipes import RECIPES, recipe
from pincite.settings import Settings, ruled
from pincite.workbench.library import Library, shelves_of
from tests.served import judging, question, right, serving
from tests.stand_ins.fakes import ScriptedModel, altered, minimal, oracle

ASKED = question("Income tax expense", 2023)  # of HERO's general class
COMPLEX = "What score on the benchmark did Halvorsen Maritime state?"
BUILT_IN = {
    "hero": {"encoder": "built-in", "scorer": "built-in"}, "kohaku": {"encoder": "built-in", "scorer": "built-in"},
    "baseline": {"encoder": "built-in", "scorer": "built-in"},
    "simple-fusion": {"encoder": "built-in", "scorer": "built-in"},
    "late-fusion": {"encoder": "built-in", "scorer": "built-in"},
    "weighted-fusion": {"encoder": "built-in", "scorer": "built-in", "weigher": "built-in"},
    "enrich": {"encoder": "built-in", "told": "plain"}, "judgerank": {"encoder": "built-in"},
    "enterprise": {"encoder": "built-in"},
}  # fmt: skip


def made(name, **parameters):
    return recipe(name, **{**BUILT_IN.get(name, {}), **parameters})


def answered(corpus, chosen, settings, text=ASKED, expects="number"):
    library = Library(corpus, settings, recipe=chosen)
    ensure(corpus, chosen.shelves(library.kit))
    library = Library(corpus, settings, recipe=chosen)
    return library.outcome(library.query(text, (), expects)).answer


@pytest.fixture
def read(monkeypatch):
    """How many pieces (pages, passages or chunks) each reading was given."""
    counts = []

    def counting(*given):
        made = pieces_of(*given)
        counts.append(len(made))
        return made

    monkeypatch.setattr(line_reading, "pieces_of", counting)
    return counts


def forms(server):
    """How often each kind of form was asked for, by a field that only it has."""
    told = {"judgements": "judging", "rephrasings": "planning", "parts": "parting", "lines": "reading",
            "analysis": "analysis"}  # fmt: skip
    kinds = [
        next((told[one] for one in told if one in asked.schema["properties"]), "verdict")
        for asked in server.asked
    ]
    return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}


@pytest.mark.parametrize("name", [name for name in RECIPES if name != "enrich"])
def test_a_right_answer_is_checked_and_cited(fresh_corpus, name):
    with serving(judging([0.5])) as (server, settings):
        answer = answered(fresh_corpus, made(name), settings)
    assert answer.value.amount == 11_706_000 and answer.checks[0].verdict == "supported"
    assert (
        name == "kohaku" or not server.bill.paid_twice
    )  # its readings for the vote are equal requests
    assert server.bill.usage.input == sum(one.tokens for one in server.asked)


def test_bm25_reads_three_strictly_then_ten_relaxed(fresh_corpus, read):
    with serving(minimal) as (server, settings):
        assert (
            answered(
                fresh_corpus,
                made("bm25"),
                settings,
                "Why did Halvorsen Maritime, Solvik Energy, its group, fleet, sites, emissions, employees and inference change?",
                None,
            ).value
            is None
        )
    assert read == [3, 10] and [one.temperature for one in server.asked] == [0.1, 0.3]
    strict, relaxed = (one.said("system") for one in server.asked)
    assert rule_sentences.STRICT in strict and rule_sentences.RELAXED in relaxed


def test_bm25_takes_seven_texts_and_three_of_both_for_a_table(fresh_corpus):
    with serving() as (_, settings):
        library = Library(fresh_corpus, settings, recipe=made("bm25"))
        ensure(fresh_corpus, library.recipe.shelves(library.kit))
        library = Library(fresh_corpus, settings, recipe=library.recipe)
        hits = library._find(library.query(ASKED)).hits
    parts = [part for hit in hits for part in hit.parts]
    assert [sum(label == one for label, _, _ in parts) for one in ("text", "hybrid")] == [7, 3]
    for hit in hits:
        assert hit.score == max(
            score * {"text": 1.0, "hybrid": 0.8}[label] for label, _, score in hit.parts
        )


@pytest.mark.parametrize(
    ("text", "shown", "manners"),
    [
        (
            "What was the Income tax expense of Halvorsen Maritime in 2023?",
            [3, 7],
            [rule_sentences.STRICT, rule_sentences.RELAXED],
        ),
        (COMPLEX, [3, 10], [rule_sentences.RELAXED, rule_sentences.RELAXED]),
    ],
)
def test_hero_reads_by_class(fresh_corpus, read, text, shown, manners):
    with serving(minimal) as (server, settings):
        answered(fresh_corpus, made("hero"), settings, text)
    assert read == shown and {one.temperature for one in server.asked} == {0.1}
    focus = rule_sentences.FOCUS["general" if shown[1] == 7 else "score_extraction"]
    assert all(
        manner in one.said("system") and focus in one.said("system")
        for one, manner in zip(server.asked, manners, strict=True)
    )


def test_kohaku_plans_once_widens_and_votes(fresh_corpus, read):
    chosen = made("kohaku", k=2, runs=3, rephrasings=2)
    with serving(minimal) as (server, settings):
        assert answered(fresh_corpus, chosen, settings).value is None
    assert forms(server) == {"planning": 1, "reading": 9}
    assert sorted(read) == [2, 2, 2, 4, 4, 4, 6, 6, 6]
    with serving() as (server, settings):
        answer = answered(fresh_corpus, replace(chosen, k=10), settings)
    assert forms(server) == {"planning": 1, "reading": 3} and answer.value.amount == 11_706_000
    (context, asked) = server.asked[-1].said("user").split("Question:")
    assert "Income tax expense: 2023" in context and "Income tax expense: 2023" not in asked


def test_kohaku_searches_every_wording(fresh_corpus):
    wordings = oracle(
        lambda asked: {"rephrasings": ["Steuern vom Einkommen", "taxes on income", "tax charge"]}
    )
    with serving(wordings) as (_, settings):
        library = Library(fresh_corpus, settings, recipe=made("kohaku", bm25=False, rerank=False))
        ensure(fresh_corpus, library.recipe.shelves(library.kit))
        library = Library(fresh_corpus, settings, recipe=library.recipe)
        found = library._find(library.query(ASKED))
    best = found.hits[0]
    assert best.score == pytest.approx(1.0)  # found by all four, with the highest sum: .4 + .6


@pytest.mark.parametrize("name", ["baseline", "simple-fusion", "late-fusion", "weighted-fusion"])
def test_the_four_of_two_domains_ask_once(fresh_corpus, read, name):
    with serving(minimal) as (server, settings):
        answered(fresh_corpus, made(name, top_k=12, top_n=5), settings)
    (asked,) = server.asked
    assert 1 <= read[0] <= 5 and asked.temperature == 0


def test_judgerank_asks_once_for_the_question_and_twice_for_each_candidate(fresh_corpus):
    with serving(minimal) as (server, settings):
        answered(fresh_corpus, made("judgerank", depth=4, read_pages=2), settings)
    assert forms(server) == {"analysis": 1 + 4, "verdict": 4, "reading": 1}
    with serving(minimal) as (server, settings):
        answered(fresh_corpus, made("judgerank", objects="table", depth=3), settings)
    assert forms(server) == {"analysis": 1 + 3, "verdict": 3, "reading": 1}


def test_judgerank_puts_every_yes_first(fresh_corpus):
    yes = oracle(
        lambda asked: (
            {"value": "yes"}
            if "Depreciation" in asked.text or "depreciation" in asked.text
            else {"value": "no"}
        )
    )
    with serving(yes) as (_, settings):
        library = Library(fresh_corpus, settings, recipe=made("judgerank", expand=False))
        ensure(fresh_corpus, library.recipe.shelves(library.kit))
        library = Library(fresh_corpus, settings, recipe=library.recipe)
        scores = [hit.score for hit in library._find(library.query(ASKED)).hits]
    assert scores == sorted(scores, reverse=True) and set(scores) <= {0.0, 1.0}


def test_judgerank_analyses_by_one_role_and_judges_by_another(fresh_corpus):
    roles = {"small": "analyst", "judge": "judge"}
    with serving(minimal, **roles) as (server, settings):
        answered(fresh_corpus, made("judgerank", depth=2), settings)
    kinds = {(asked.model, *asked.schema["properties"]) for asked in server.asked}
    assert {kind[0] for kind in kinds if kind[1:] == ("analysis",)} == {"analyst"}
    assert {kind[0] for kind in kinds if kind[1:] == ("value",)} == {"judge"}
    with serving(minimal, **roles) as (server, settings):
        answered(
            fresh_corpus, made("judgerank", depth=2, analyst="judge", helps="rhymes with"), settings,
        )  # fmt: skip
    assert sum("rhymes with" in asked.said("system") for asked in server.asked) == 2 * 2
    assert {asked.model for asked in server.asked} == {"judge", "scripted"}


def test_enrich_is_told_once_and_asks_nothing_to_find(fresh_corpus):
    chosen = recipe("enrich", encoder="built-in")
    with serving(
        altered(
            minimal,
            lambda asked, it: {**it, "text": "taxes that were paid"} if "text" in it else it,
        )
    ) as (
        server,
        settings,
    ):
        kit = Library(fresh_corpus, settings).kit
        told = enrich(fresh_corpus, tellers(kit, ["purpose", "summary", "qa"], "small"))
        offline = len(server.asked)
        answered(fresh_corpus, chosen, settings)
        assert len(server.asked) == offline + 1  # the reading
        assert offline == 3 * 12  # seven pages and five tables, three kinds each
        answered(fresh_corpus, replace(chosen, expand=True), settings)
    assert forms(server)["analysis"] == 1 and told


def test_enterprise_judges_three_pages_a_call_and_weighs_seven_tenths(fresh_corpus):
    with serving(judging([0.0, 0.9, 0.2])) as (server, settings):
        answer = answered(fresh_corpus, made("enterprise"), settings)
        assert forms(server) == {"judging": 2, "reading": 1}  # of the company's four pages
        assert server.asked[-1].said("user").count("Halvorsen")
        assert "Solvik" not in server.asked[-1].text
    system = server.asked[-1].said("system")
    assert rule_sentences.DERIVED[False] in system and rule_sentences.UNITS["na"] in system
    assert rule_sentences.PROXIES["forbid"] in system
    assert answer.value.amount == 11_706_000


def test_enterprise_asks_each_company_and_compares(fresh_corpus):
    asked = "Which had more employees in 2023, Halvorsen Maritime or Solvik Energy?"
    with serving(judging([0.5])) as (server, settings):
        answered(fresh_corpus, made("enterprise"), settings, asked, None)
    assert forms(server)["parting"] == 1 and forms(server)["reading"] == 2
    readings = [one for one in server.asked if "lines" in one.schema["properties"]]
    assert sorted("Solvik" in one.said("user") for one in readings) == [False, True]


def test_models_behind_endpoints_are_found_by_their_names(fresh_corpus):
    """HERO with its encoder and its cross-encoder behind an endpoint, under the names that the recipe asks for."""
    with serving() as (server, settings):
        models = replace(
            settings.models,
            encoders={"BAAI/bge-m3": "openai:bge-m3"},
            scorers={"BAAI/bge-reranker-large": f"rerank:bge-large?base_url={server.url}"},
        )
        library = Library(fresh_corpus, replace(settings, models=models), recipe=recipe("hero"))
        assert library.stand_ins == ()
        ensure(fresh_corpus, library.recipe.shelves(library.kit))
        library = Library(fresh_corpus, replace(settings, models=models), recipe=recipe("hero"))
        outcome = library.outcome(library.query(ASKED, (), "number"))
        paths = {row.path.rsplit("/", 1)[-1] for row in server.bill.rows}
    assert outcome.answer.value.amount == 11_706_000
    assert paths >= {"embeddings", "rerank", "completions"}


def test_shelves_of_take_what_the_settings_name(fresh_corpus, monkeypatch):
    monkeypatch.setenv("PINCITE_MODEL", "")
    assert shelves_of(recipe("hero"), fresh_corpus, stand_ins=True) == shelves_of(
        made("hero"), fresh_corpus
    )


@pytest.mark.parametrize("name", ["default", "enterprise", "baseline"])
@pytest.mark.parametrize("rules", ["", "wattbot", "erc"])
def test_how_strictly_a_model_reads_follows_the_rules_that_are_set(fresh_corpus, name, rules):
    with serving(minimal) as (server, settings):
        set_as = ruled(settings, rules)
        answered(fresh_corpus, made(name), set_as, ASKED)
    said = [one.said("system") for one in server.asked if "lines" in str(one.schema)]
    nearest, challenge = rules == "wattbot", rules == "erc" or (name, rules) == ("enterprise", "")
    for one in said:
        assert (rule_sentences.RELAXED if nearest else rule_sentences.STRICT) in one
        assert rule_sentences.PROXIES["allow" if nearest else "forbid"] in one
        assert rule_sentences.DERIVED[not challenge] in one
        assert rule_sentences.UNITS["na" if challenge else "convert"] in one
    assert said


def test_what_the_judge_doubts_stays_a_possible_answer_when_more_pages_tell_nothing(fresh_corpus):
    nothing = {"lines": [], "value": ""}

    def fleet(asked):
        found = re.search(r"^(\d+) The utilisation of the fleet", asked.said("user"), re.M)
        return {"lines": [int(found[1])], "value": "fleet"}

    script = oracle(lambda asked: nothing if asked.index else fleet(asked))
    with serving(script) as (server, settings):
        text = "Who is the Chief Executive Officer of Halvorsen Maritime?"
        answer = answered(fresh_corpus, made("default"), replace(settings, pages=2), text, "name")
    (near,) = answer.possible
    assert answer.value is None and near.value == "fleet" and 0 < near.confidence < 0.02
    assert "does not seem to answer the question" in answer.reason
    turns = [len(one.messages) for one in server.asked]
    assert turns == [
        2,
        4,
        2,
    ]  # asked once more with the reason, then of more pages, of all of them once


def test_kohaku_votes_over_the_readings_of_several_models(fresh_corpus):
    """Models by role and by name, those called blank find nothing: each reads, blanks have a vote or none."""

    def script(asked):
        return (minimal if asked.model.startswith("blank") else right)(asked)

    def asking(*voters, **more):
        chosen = made(
            "kohaku", **{"rephrasings": 0, "runs": 1, "widths": "1", "voters": voters, **more}
        )
        library = Library(fresh_corpus, settings, recipe=chosen)
        ensure(fresh_corpus, chosen.shelves(library.kit))
        library = Library(fresh_corpus, settings, recipe=chosen)
        server.asked.clear()
        outcome = library.outcome(library.query(ASKED, (), "number"))
        (vote,) = (span for span in outcome.trace if span.stage.startswith("Vote("))
        return outcome.answer, vote, sorted(asked.model for asked in server.asked)

    with serving(script) as (server, settings):
        answer, vote, asked = asking("blank", "large", "other")
        assert asked == ["blank", "other", "scripted"]
        assert (answer.value.amount, answer.confidence) == (11_706_000, 1.0)
        assert vote.notes == ("2 of 2 readings agree, 2 of them on the same references",)
        answer, vote, _ = asking("blank", "large", "other", ignore_blank=False)
        assert answer.value.amount == 11_706_000 and answer.confidence == pytest.approx(2 / 3)
        answer, vote, _ = asking("blank", "blank2", "large", ignore_blank=False)
        assert answer.value is None and vote.notes == ("2 of 3 readings agree",)
        _, vote, asked = asking("blank2", "large", runs=2)
        assert vote.stage.count("ReadLines(") == 2 and "model=" in vote.stage
        assert set(asked) <= {"blank2", "scripted"} and len(asked) >= 2
    with pytest.raises(ModelMissing, match="small"):
        Library(
            fresh_corpus, Settings(), recipe=made("kohaku", rephrasings=0, voters=("small",))
        ).ask(ASKED)
    with pytest.raises(UsageError, match=r"the model 'other' cannot be asked: give a role"):
        Library(
            fresh_corpus,
            Settings(),
            replace(default_kit(), large=ScriptedModel(lambda prompt, form: {})),
            made("kohaku", rephrasings=0, voters=("other",)),
        ).ask(ASKED)
