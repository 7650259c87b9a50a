"""What of a prompt is shown where the window is narrow: literals with words as tokens, and every prompt of the package."""

import pytest

from pincite.errors import ModelError
from pincite.generate import prompts
from pincite.generate.line_prompts import BRIEF, WIDE, AnalysedLineForm, LineForm, asking
from pincite.generate.prompts import TOLD
from pincite.generate.rule_sentences import FOCUS, told, wanted
from pincite.generate.rules import Rules
from pincite.generate.shown_lines import lines_in
from pincite.lab.judging.criteria import CRITERIA, JudgedAnswer
from pincite.lab.testsets.asking_prompts import (
    AskedForm,
    PickForm,
    TableQuestionsForm,
    asking_about,
    asking_table,
    picking,
)
from pincite.models import forms
from pincite.models.encoder import tokenizer
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.exchange import (
    ReplySettings,
    request_of,
    schema_of,
    with_schema_in_prompt,
)
from pincite.models.endpoints.prompt_fit import (
    LEAST_REPLY,
    approximate,
    counter,
    fitted,
    left_out,
    reply_room,
)
from pincite.models.loop import wait
from pincite.ports import Prompt
from pincite.question.understanding import understand
from pincite.types import Query
from tests.generate.reading import seen_of

LINES = "\n".join(
    f"Row {at}: sales of {at * 37} thousand EUR in 20{at % 30:02}" for at in range(80)
)
LONG = tuple(f"=== ab12 page {at} ===\n{LINES}\n=== ab12 end of page {at} ===" for at in range(9))
ASK = understand(Query("What were the sales of Ferrow in 2019, by region, and who reports them?"))
WINDOWS = (2048, 4096, 8192)


async def words(prompt):
    """Words as tokens, so that sizes can be counted by hand."""
    parts = (prompt.system, *prompt.examples, *prompt.context, prompt.question)
    return sum(len(part.split()) for part in parts)


def fit(prompt, window, count=words):
    return wait(fitted(prompt, window, count, count, "m"))


def of(words, lines=1):
    """A text of so many words on each of so many lines."""
    return "\n".join(" ".join(["w"] * words) for _ in range(lines))


def test_what_fits_is_sent_as_it_is_and_the_rest_of_the_window_is_for_the_reply():
    prompt = Prompt(of(100), of(20), (of(50), of(50)), max_tokens=500)
    made = fit(prompt, 2000)
    assert made.prompt == prompt and left_out(prompt, made.prompt, "m") == ""
    assert made.room == 2000 - 440  # 220 words, which may be twice as many tokens
    assert fit(prompt, 520).room == 520 - 220 and fit(prompt, 520).prompt == prompt


def test_the_last_pieces_go_first_and_the_last_that_fits_in_part_ends_at_a_line():
    pieces = tuple(f"=== a {at} ===\n{of(10, 10)}\n=== a end ===" for at in range(5))
    prompt = Prompt(of(100), of(20), pieces, max_tokens=256)
    made = fit(prompt, 256 + 120 + 2 * (108 + 3) + 68)  # frames have 4 words each
    assert made.prompt.context[:2] == pieces[:2]
    assert made.prompt.context[2] == f"=== a 2 ===\n{of(10, 5)}\n=== a end ==="
    assert len(made.prompt.context) == 3
    assert left_out(prompt, made.prompt, "m") == (
        "context shrunk from 5 to 3 pieces, the last in part, to fit m"
    )


def test_examples_that_take_more_than_a_third_of_the_room_go_before_the_context():
    prompt = Prompt(of(100), of(20), (of(10, 30),), max_tokens=256, examples=(of(60), of(60)))
    made = fit(prompt, 256 + 120 + 300)
    assert made.prompt.examples == (of(60),) and made.prompt.context == (of(10, 23),)
    said = left_out(prompt, made.prompt, "m")
    assert said.startswith(
        "1 worked example left out and context shrunk from 1 to 1 piece, the last"
    )


def test_a_window_that_has_no_room_for_a_line_is_named():
    with pytest.raises(ModelError, match="m reads 400 tokens, and the rules, the question .* 406"):
        fit(Prompt(of(100), of(50), (of(200),), max_tokens=900), 400)


@pytest.mark.parametrize(
    ("most", "window", "room"),
    [
        (2048, 2048, 512),
        (2048, 4096, 1024),
        (2048, 8192, 2048),
        (400, 8192, 400),
        (2048, 600, 256),
    ],
)
def test_the_room_for_a_reply_is_a_quarter_of_the_window(most, window, room):
    assert reply_room(most, window) == room


def reading(rules, focus, large=False, ask=ASK):
    """The prompt in which a model is shown lines."""
    return asking(
        ask.query.text,
        lines_in(ask, seen_of(*(f"{LINES}\n" for _ in range(9)))),
        ask.periods,
        told=told(rules, ask, strict=rules.doubt == "na", focus=focus, small=not large),
        wanted=wanted(ask.query) if large else "",
        analysed=large,
        extent=WIDE if large else BRIEF,
    )


def package_prompts(window):
    """Every prompt of the package with more to read than any window here holds, and its form."""
    for rules in (Rules(), Rules("exact", "allow", "forbid", "na", "no", "nearest")):
        for focus in ("", *FOCUS):
            yield f"reading small {focus}", reading(rules, focus), LineForm
            if window > 4096:
                yield f"reading {focus}", reading(rules, focus, large=True), AnalysedLineForm
    yield "judging", prompts.judging(ASK.query.text, LONG), forms.JudgementsForm
    yield "rephrasing", prompts.rephrasing(ASK.query.text, 4), forms.RephrasingsForm
    yield "parting", prompts.parting(ASK.query.text, ["Ferrow", "Tarn"]), forms.PartsForm
    found = [(f"Firm {at}", LINES) for at in range(4)]
    yield "choosing", prompts.choosing(ASK.query.text, found), forms.ChoiceForm
    yield "condensing", prompts.condensing("and before?", LONG), forms.StandaloneForm
    yield "speaking", prompts.speaking(ASK.query.text, "812 EUR", LONG), None
    form_of = {"qa": forms.QuestionsForm, "tables": forms.FactsForm}
    for kind, whats in TOLD.items():
        for what in whats:
            made = prompts.telling(kind, what, LONG, "a report")
            yield f"telling {kind} {what}", made, form_of.get(kind, forms.ToldForm)
    yield "analysing", prompts.analysing(ASK.query.text), forms.AnalysisForm
    text = "\n".join(LONG)
    examining = prompts.examining(ASK.query.text, LINES[:900], text, "page", "helps with")
    yield "examining", examining, forms.AnalysisForm
    deciding = prompts.deciding(
        ASK.query.text, LINES[:900], text, "It does.", "page", "helps with"
    )
    yield "deciding", deciding, forms.VerdictForm
    judged = JudgedAnswer(ASK.query.text, "812 EUR", (("a page", text),), "800 EUR")
    for criterion in CRITERIA:
        yield f"criterion {criterion.name}", criterion.prompt(judged), criterion.form
    yield "asking", asking_about(text, "a report"), AskedForm
    yield "picking", picking(ASK.query.text, LONG), PickForm
    asking = asking_table(LINES, "sales", {"year": "", "eur": "sales"}, "a report", 6, ["English"])
    yield "asking of a table", asking, TableQuestionsForm


@pytest.mark.parametrize("described", [True, False])
@pytest.mark.parametrize("window", WINDOWS)
def test_every_prompt_of_the_package_fits_the_windows_of_small_models(window, described):
    """Counted by a real tokenizer, as it is sent; what is shown is a beginning of what there was, in its order."""
    seen = 0
    for name, prompt, form in package_prompts(window):
        schema = schema_of(form) if form else None
        dialect = Dialect(described=described)
        about = counter(None, schema, dialect, ReplySettings())

        def exact(asked, schema=schema):
            messages = request_of(asked, None).messages
            if schema and described and (asked.system or asked.question):
                messages = with_schema_in_prompt(messages, schema)
            return sum(len(tokenizer().encode(each.text).ids) + 8 for each in messages)

        async def count(asked, exact=exact):
            return exact(asked)

        made = wait(fitted(prompt, window, about, count, "m"))
        room = min(prompt.max_tokens, made.room)
        assert exact(made.prompt) + room <= window, name
        assert room >= min(prompt.max_tokens, LEAST_REPLY), name
        shown, whole = made.prompt.context, prompt.context
        assert made.prompt.system == prompt.system and made.prompt.question == prompt.question
        assert shown[:-1] == whole[: len(shown) - 1], name
        if shown:
            kept = shown[-1].split("\n")
            frame = kept[-1].startswith("===")
            assert (
                whole[len(shown) - 1].split("\n")[: len(kept) - frame] == kept[: len(kept) - frame]
            )
            # by far the most of what is read is what there is to read
            assert sum(map(approximate, shown)) > 0.2 * window or shown == whole, name
        assert made.prompt.examples == prompt.examples[: len(made.prompt.examples)], name
        seen += 1
    assert seen >= 35


def test_the_constant_part_is_the_same_for_every_question_and_small_for_small_models():
    other = understand(Query("Which of the harbours had the higher fees in 2021, and why?"))
    sizes = {}
    for large in (False, True):
        one, two = (reading(Rules(), "", large, ask) for ask in (ASK, other))
        assert (one.system, one.examples) == (two.system, two.examples)
        said = request_of(one, None).messages
        assert said[1].text.startswith(one.context[0]) and said[1].text.endswith(one.question)
        sizes[large] = len(tokenizer().encode(said[0].text).ids)
    assert sizes[False] < 650 and sizes[True] < 2 * sizes[False], sizes
