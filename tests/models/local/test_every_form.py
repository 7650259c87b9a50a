"""Every form of the package filled in by a real small model, asked as it is asked: it parses, also when it holds nothing."""

from dataclasses import replace

import pytest

from pincite.database.relations.model import Column, Database, Relation
from pincite.errors import ReplyInvalid
from pincite.generate import prompts
from pincite.generate.line_prompts import AnalysedLineForm, LineForm, asking
from pincite.lab.judging.criteria import CRITERIA, JudgedAnswer
from pincite.lab.testsets.asking_prompts import (
    AskedForm,
    PickForm,
    TableQuestionsForm,
    asking_about,
    asking_table,
    picking,
)
from pincite.lines.making import lines_of
from pincite.models import forms
from pincite.models.forms import NA
from pincite.models.kit import kit_of
from pincite.models.loop import wait
from pincite.ports import Prompt
from pincite.rows.drafting.statement_form import StatementForm
from pincite.rows.drafting.statement_prompts import drafting
from pincite.settings import load
from tests.generate.reading import page_of
from tests.models.test_llama_server import forms_sent
from tests.real_models import SMALL

pytestmark = [pytest.mark.servers, pytest.mark.model, pytest.mark.usefixtures("small_model")]

LONGEST = 300
"""Tokens of a reply."""
TOLD = "Tarn Ferries opened the harbour of Osmund in 2019. Its managing director is Ada Lind."
TABLE = """\
|   | A | B | C |
|---|---|---|---|
| 1 |  | 2022 | 2021 |
| 2 | Revenue | 4,521 | 4,102 |
| 3 | Port fees | 310 | 295 |"""
TEXT = f"{TOLD}\nTable T1: Income (in thousands of EUR)\n{TABLE}"
"""What is read: two sentences and a table."""
FEES = Database(
    "fees",
    (Relation("fee", (Column("harbour", values=("Osmund", "Tarn")), Column("fee_eur", "number", unit="EUR")), rows=9),),
)  # fmt: skip


def prompts_by_form():
    """Each form that is sent with a prompt that asks for it."""
    question = "What was the revenue of Tarn Ferries in 2022?"
    judged = JudgedAnswer(question, "4,521 thousand EUR", (("page 4", TEXT),), "EUR 4.521 m")
    lines = lines_of(page_of(f"{TOLD}\n\n{TABLE}\n"))
    made = {
        forms.JudgementsForm: prompts.judging(question, [TABLE]),
        forms.RephrasingsForm: prompts.rephrasing(question, 2),
        forms.PartsForm: prompts.parting("Which had more revenue in 2022, Tarn or Ferrow?", ["Tarn", "Ferrow"]),
        forms.ChoiceForm: prompts.choosing("Which is older, Osmund or Tarn?", [("Osmund", TOLD), ("Tarn", "")]),
        forms.StandaloneForm: prompts.condensing("and in 2021?", [f'asked "{question}", answered "4,521"']),
        forms.ToldForm: prompts.telling("purpose", "page", [TEXT]),
        forms.QuestionsForm: prompts.telling("qa", "page", [TEXT]),
        forms.FactsForm: prompts.telling("tables", "table", [TABLE]),
        forms.AnalysisForm: prompts.examining(question, "The income statement has it.", TEXT, "page", "helps to answer"),
        forms.VerdictForm: prompts.deciding(question, "The income statement has it.", TEXT, "It has it.", "page", "helps"),
        AskedForm: asking_about(TEXT, "a report"),
        PickForm: picking(question, [TOLD, TABLE]),
        TableQuestionsForm: asking_table(TABLE, "income", {"year": "", "revenue": ""}, "a report", 2, ["English"]),
        LineForm: asking(question, lines, ()),
        AnalysedLineForm: asking(question, lines, (), analysed=True),
        StatementForm: drafting("How high is the fee of Osmund?", FEES, ["fee"]),
    }  # fmt: skip
    return made | {criterion.form: criterion.prompt(judged) for criterion in CRITERIA}


PROMPTS = prompts_by_form()
HOLD_NOTHING = {
    *(form for form in PROMPTS if "value" in form.model_fields),
    forms.ToldForm, forms.QuestionsForm, forms.FactsForm, StatementForm,
} - {forms.VerdictForm}  # fmt: skip
"""The forms that may say that there is nothing."""
UNTOLD = "No page tells of it."


def with_nothing(form):
    """The form as it says that there is nothing; what it does not have of these is left out."""
    texts = {name: UNTOLD for name, field in form.model_fields.items() if field.is_required()}
    nothing = dict.fromkeys(("value", "text", "statement"), NA)
    return form.model_validate(texts | nothing | {"pairs": [], "blocks": []})


def asked(prompt, form, **more):
    """What the model replies, with these settings."""
    one = kit_of(replace(load().models, **more)).large
    assert one.name == SMALL
    return wait(one.complete(prompt, form))


def named(some):
    return sorted(some, key=lambda form: form.__name__)


def by_name(form):
    return form.__name__


def test_every_form_has_a_prompt():
    assert named(PROMPTS) == named(forms_sent())
    assert len(HOLD_NOTHING) == 7


@pytest.mark.parametrize("form", named(PROMPTS), ids=by_name)
def test_a_reply_is_the_form(form):
    said = asked(PROMPTS[form], form, max_tokens=LONGEST)
    assert type(said.value) is form
    assert said.asked == 1, said.text


@pytest.mark.parametrize("form", named(HOLD_NOTHING), ids=by_name)
def test_nothing_is_said_in_the_form(form):
    empty = with_nothing(form)
    prompt = Prompt("Repeat the form as it is.", empty.model_dump_json())
    said = asked(prompt, form, max_tokens=LONGEST).value
    assert said == empty


@pytest.mark.parametrize(
    "form", [AnalysedLineForm, forms.JudgementsForm, StatementForm], ids=by_name
)
def test_a_reply_that_is_cut_is_named(form):
    said = rf"no reply that fits {form.__name__} in 1 ask.* cut off after 16 tokens"
    with pytest.raises(ReplyInvalid, match=said):
        asked(PROMPTS[form], form, max_tokens=16)


def test_a_reply_that_is_cut_gets_no_more_room_whatever_was_learnt_before():
    """A model on board only repeats itself: more room would be minutes of waiting."""
    model = kit_of(load().models).large
    for learnt in (model.known_dialect, replace(model.known_dialect, thinks=True)):
        model.replies.learn(model.base_url, model.name, learnt)
        with pytest.raises(ReplyInvalid, match="in 1 ask.* cut off after 16 tokens"):
            wait(
                model.complete(replace(PROMPTS[AnalysedLineForm], max_tokens=16), AnalysedLineForm)
            )
