"""Recipes as values: by name, with parameters, spelled and read back; their shelves, and what stands in for their models."""

from dataclasses import fields, replace

import pytest

from pincite.corpus import Corpus, writing
from pincite.errors import CorpusError, ModelMissing, UsageError
from pincite.formats.spell import spell
from pincite.indexing import Wanted, ensure, publish
from pincite.models.encoder import MiniLM
from pincite.models.kit import default_kit, kit_of
from pincite.ports import Kit
from pincite.recipes import RECIPES, read, recipe
from pincite.recipes.model_choice import replaced, spelled_pipeline
from pincite.recipes.parameters import pairs, parameters
from pincite.recipes.pipeline import Pipeline
from pincite.reconcile.vote import Vote, numbered
from pincite.settings import Settings
from pincite.stage import Then, stages
from pincite.types import Query, Where
from pincite.workbench.library import Library, default_shelves, index
from tests.served import judging, serving
from tests.stand_ins.fakes import HashEncoder, minimal

STAND_INS = Kit(HashEncoder(dims=128), stand_ins=True)
QUESTION = "What was the Income tax expense of Halvorsen Maritime in 2023?"


@pytest.fixture(scope="module")
def indexed(example_corpus, examples, tmp_path_factory):
    """The example corpus with a database and the shelves of every recipe, by stand-ins."""
    import shutil

    folder = shutil.copytree(example_corpus, tmp_path_factory.mktemp("recipes") / "corpus")
    index((), folder, databases=[Wanted(examples / "alloys" / "alloys.sqlite")])
    for kind in RECIPES.values():
        ensure(folder, kind().shelves(STAND_INS))
    return folder


def test_the_published_systems_are_all_there():
    assert list(RECIPES) == [
        "default", "bm25", "hero", "kohaku", "baseline", "simple-fusion", "late-fusion", "weighted-fusion", "enrich",
        "judgerank", "enterprise",
    ]  # fmt: skip
    for name, kind in RECIPES.items():
        assert kind.name == name and kind.what and kind.source
        assert set(kind().needed) <= {
            *(one.name for one in fields(kind)),
            "small",
            "large",
            "judge",
        }


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_spells_itself_and_is_read_back(name):
    plain = recipe(name)
    assert spell(plain) == f"{type(plain).__name__}()" and read(spell(plain)) == plain
    one = parameters(type(plain))[-1]
    values = {bool: not one.default, int: 7, float: 0.25, str: "x"}
    other = replace(plain, **{one.name: values[type(one.default)]})
    assert read(spell(other)) == other != plain and one.name in spell(other)
    assert "Verify(" in spelled_pipeline(plain, Settings())
    assert "object at" not in spelled_pipeline(plain, Settings())


def test_parameters_are_read_from_text():
    made = recipe(
        "late-fusion", mode="rrf", **{"top-k": "40"}, prose="no", rows="0.25", encoder="built-in"
    )
    assert (made.mode, made.top_k, made.prose, made.rows) == ("rrf", 40, False, 0.25)
    assert made.encoder == "built-in"
    assert recipe("kohaku", widths="1,2").widths == (1, 2)
    assert recipe("kohaku", widths=[1]).widths == (1,)
    assert recipe("judgerank").depth is None is recipe("judgerank", depth="none").depth
    assert recipe("judgerank", depth=5).depth == 5
    assert recipe("LATE_FUSION") == recipe("late-fusion")
    assert pairs(["k=3", "encoder=hf:a=b"]) == {"k": "3", "encoder": "hf:a=b"}


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("nonesuch", {}, "there is no recipe 'nonesuch'; known: default, bm25, hero"),
        ("bm25", {"depth": 3}, "bm25 has no parameter 'depth'; it has k1=1.5, b=0.75"),
        (
            "bm25",
            {"first": "many"},
            "first of bm25 must be a whole number from 0 to 1,000,000,000, not .many. .its default",
        ),
        ("bm25", {"first": "-1"}, "a whole number from 0 to 1,000,000,000"),
        ("bm25", {"first": 2.5}, "a whole number from 0 to 1,000,000,000"),
        ("bm25", {"k1": "nan"}, "a number from 0 to 1,000,000,000"),
        ("bm25", {"indexes": "both"}, "one of routed, text, hybrid"),
        ("hero", {"expand": "maybe"}, "true or false"),
        ("hero", {"expand": 1}, "true or false"),
        ("kohaku", {"widths": "1,x"}, "several, separated by commas, each a whole number"),
        ("late-fusion", {"mode": ""}, "one of relative, distribution, rrf"),
    ],
)
def test_what_a_recipe_cannot_take_is_said(name, given, told):
    with pytest.raises(UsageError, match=told):
        recipe(name, **given)


@pytest.mark.parametrize("given", [["k"], ["=3"], ["k=1", "k=2"]])
def test_set_wants_a_name_and_a_value(given):
    with pytest.raises(UsageError, match="--set"):
        pairs(given)


@pytest.mark.parametrize("text", ["Nothing()", "Hero(", "3", "Hero(k=", "__import__('os')"])
def test_only_spellings_of_recipes_are_read(text):
    with pytest.raises(UsageError):
        read(text)


# models


@pytest.mark.parametrize(
    "name", [name for name in RECIPES if name not in ("default", "bm25", "judgerank")]
)
def test_a_missing_model_is_named(indexed, name):
    with pytest.raises(
        ModelMissing,
        match=r"(?s)not available.*\[models\.(encoders|scorers)\].*--set.*--stand-ins",
    ):
        Library(indexed, Settings(), recipe=recipe(name)).search(QUESTION)


@pytest.mark.parametrize("name", ["bm25", "judgerank"])
def test_a_recipe_without_meaning_finds_without_models_and_reads_with_one(indexed, name):
    library = Library(indexed, Settings(), recipe=recipe(name))
    if name == "bm25":
        assert library.search(QUESTION)
    with pytest.raises(ModelMissing, match="PINCITE"):
        library.ask(QUESTION)


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_runs_with_stand_ins_and_names_them(indexed, name):
    library = Library(indexed, Settings(), STAND_INS, recipe(name))
    outcome = library.outcome(library.query(QUESTION, (), "number"))
    assert outcome.ranking and outcome.ranking.hits
    assert len({(one.document, one.page) for one in library.pages(outcome.ranking, 50)}) == len(
        library.pages(outcome.ranking, 50)
    )
    assert outcome.answer.value is None or outcome.answer.value.amount == 11_706_000
    (batched,) = library.answer_many([library.query(QUESTION, (), "number")])
    assert batched == outcome.answer
    wanted = recipe(name).needed
    assert len(library.stand_ins) == len(wanted)
    assert all(one in library.spelling for one in library.stand_ins)
    assert all(one.partition(" for ")[2] for one in library.stand_ins)


OF_TWO = "Which had the higher total assets in 2023, Halvorsen Maritime or Solvik Energy?"
COMPLEX = "What score on the benchmark did Halvorsen Maritime state, and why?"


@pytest.mark.parametrize("name", RECIPES)
def test_what_is_printed_is_what_runs(indexed, name):
    """The stages of a pipeline are those of its traces, over questions that take every branch: one about two companies, one
    of each class of question, one that a model answers and the same one refused, so that the next reading follows.
    """
    ran, made = set(), recipe(name, **({"told": "plain"} if name == "enrich" else {}))
    for script, asked in (
        (judging([0.5]), [(QUESTION, "number")]),
        (minimal, [(QUESTION, "number"), (OF_TWO, None), (COMPLEX, None)]),
    ):
        with serving(script) as (_, settings):
            kit = replace(kit_of(settings.models), encoder=STAND_INS.encoder, stand_ins=True)
            library = Library(indexed, settings, kit, made)
            for text, expects in asked:
                trace = library.outcome(library.query(text, (), expects)).trace
                ran.update(span.stage for span in trace)
    pipeline = library.pipeline
    assert ran == {
        spell(stage) for stage in (*stages(pipeline), *voting(pipeline)) if not is_order(stage)
    }
    assert (
        (pipeline.plan is None)
        == (pipeline.joined is None)
        == (name not in ("default", "enterprise"))
    )
    assert (pipeline.rows is None) == (name != "default")


def is_order(stage):
    """Whether a stage only calls others in order, and has no span of its own."""
    return isinstance(stage, Then | Pipeline)


def voting(pipeline):
    """The further readings of votes: each reader again, under the number that tells its readings apart."""
    for vote in stages(pipeline):
        if isinstance(vote, Vote):
            for number in range(1, vote.runs):
                yield from stages(tuple(numbered(read, number) for read in vote.reads))


@pytest.mark.parametrize("name", RECIPES)
def test_a_filter_is_honoured(indexed, name):
    where: Where = (("document", ("solvik-sustainability-2023.pdf",)),)
    hits = Library(indexed, Settings(), STAND_INS, recipe(name)).search(
        "energy and emissions in 2023", 20, where
    )
    assert hits and {hit.document for hit in hits} == {"solvik-sustainability-2023.pdf"}


def test_stand_ins_are_only_what_is_missing():
    assert (
        replaced(
            recipe("hero", encoder="built-in", scorer="built-in"),
            replace(STAND_INS, large=object()),
        )
        == ()
    )
    assert replaced(recipe("hero"), default_kit()) == ()  # not allowed: the recipe raises instead
    assert replaced(recipe("kohaku", rerank=False, rephrasings=0), STAND_INS) == (
        "hash-128-256 for jinaai/jina-embeddings-v3", "the reader without a model for the large model",
    )  # fmt: skip


def test_without_reranking_no_scorer_is_needed_and_the_fusion_stays(indexed):
    def found(name, **more):
        made = recipe(name, rerank=False, top_n=7, **more)
        corpus = Corpus(indexed)
        return [(hit.node, hit.at) for hit in made.find(corpus, STAND_INS)(Query(QUESTION)).hits]

    plain = recipe("baseline", rerank="no")
    assert plain.needed == ("encoder", "large") and len(replaced(plain, STAND_INS)) == 2
    assert recipe("late-fusion", rerank=False, row_encoder="x").needed == (
        "encoder", "large", "row_encoder",
    )  # fmt: skip
    assert recipe("weighted-fusion", rerank=False).needed == ("encoder", "weigher", "large")
    # two indexes merged by raw similarity are one index; what counts rows alone finds other things
    assert len(found("baseline")) == 7 and found("simple-fusion") == found("baseline")
    assert found("late-fusion", rows=1.0) != found("late-fusion", rows=0.0)


def test_enrich_says_when_nothing_was_told(indexed):
    wanted = recipe("enrich", encoder="built-in")
    ensure(indexed, wanted.shelves(default_kit()))
    with pytest.raises(
        CorpusError, match=r"(?s)no model-written descriptions.*pincite enrich.*told=plain"
    ):
        Library(indexed, Settings(), recipe=wanted).search(QUESTION)
    assert Library(indexed, Settings(), recipe=recipe("bm25")).search(QUESTION)


# shelves


def test_recipes_share_the_shelves_that_are_equal():
    def of(name, **more):
        return {spell(shelf) for shelf in recipe(name, **more).shelves(STAND_INS)}

    assert of("simple-fusion") == of("late-fusion") == of("weighted-fusion", chunk=256)
    assert len(of("weighted-fusion") & of("late-fusion")) == 1  # rows have no chunk size
    assert of("bm25") == of("bm25", indexes="text", penalty=0.5, k_text=3)
    assert of("judgerank", told="plain", over="enrich") == of("enrich", tables=False)
    assert of("hero", depth=10, table=1.0) == of("hero")


def test_ensure_builds_what_is_missing_beside_what_there_is(fresh_corpus):
    before = Corpus(fresh_corpus)
    shelves = recipe("late-fusion").shelves(STAND_INS)
    made, encoded = ensure(fresh_corpus, shelves)
    assert made.number == before.generation.number + 1 and encoded > 0
    assert made.shelves.keys() == before.generation.shelves.keys() | {
        spell(one) for one in shelves
    }
    assert made.documents == before.generation.documents
    assert ensure(fresh_corpus, shelves) == (made, 0)
    more, encoded = ensure(fresh_corpus, recipe("simple-fusion", chunk=100).shelves(STAND_INS))
    assert more.number == made.number + 1 and made.shelves.items() <= more.shelves.items()
    assert (
        before.generation.shelves.items() <= more.shelves.items()
    )  # readers of the older generation find theirs
    assert Library(fresh_corpus, Settings()).search(QUESTION)
    with writing(fresh_corpus) as writer:  # indexing for one recipe leaves the others'
        assert publish(writer, default_shelves()) == (more, 0)


def test_shelves_over_other_documents_leave(fresh_corpus):
    made, _ = ensure(fresh_corpus, recipe("bm25").shelves(STAND_INS))
    with writing(fresh_corpus) as writer:
        (gone, *_) = writer.files()
        writer.forget_files([gone])
    with pytest.raises(CorpusError, match="have changed"):
        ensure(fresh_corpus, recipe("bm25").shelves(STAND_INS))
    with writing(fresh_corpus) as writer:
        now, _ = publish(writer, default_shelves())
    assert now.shelves.keys() == {spell(one) for one in default_shelves()}
    assert len(now.documents) == len(made.documents) - 1
    with pytest.raises(CorpusError, match="--recipe"):
        Library(fresh_corpus, Settings(), recipe=recipe("bm25")).search(QUESTION)
    ensure(fresh_corpus, recipe("bm25").shelves(STAND_INS))
    assert Library(fresh_corpus, Settings(), recipe=recipe("bm25")).search("revenue") != []


def test_the_default_recipe_keeps_its_shelves():
    """Their spelling names folders of corpora that there are: it changes only on purpose."""
    assert [spell(one) for one in default_shelves()] == [
        "Shelf(index=Lexical(), views=(Windows(header=True),))",
        "Shelf(index=Lexical(bigrams=True), views=(Pages(header=True),))",
        "Shelf(index=Lexical(), views=(Tops(),))",
        "Shelf(index=Lexical(), views=(Tables(on='page'),))",
        f"Shelf(index=Dense(encoder={spell(MiniLM())}), views=(Windows(),))",
        "Shelf(index=Lexical(), views=(Rows(of=('row',)), Cards()))",
    ]


def test_hero_searches_by_words_or_by_meaning_alone():
    kit = Kit(HashEncoder(), stand_ins=True)
    words, both = recipe("hero", indexes="words"), recipe("hero")
    assert [type(shelf.index).__name__ for shelf in words.shelves(kit)] == ["Lexical"]
    meaning = recipe("hero", indexes="meaning").shelves(kit)
    assert [type(shelf.index).__name__ for shelf in meaning] == ["Dense"]
    assert (*words.shelves(kit), *meaning) == both.shelves(kit)
    assert words.needed == ("scorer", "large") and both.needed == ("encoder", "scorer", "large")
