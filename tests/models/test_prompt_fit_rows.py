"""The prompt that asks for a statement fits narrow windows: of 24 tables as many are described as there is room for."""

from dataclasses import dataclass, field

import pytest

from pincite.models.encoder import tokenizer
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.exchange import (
    ReplySettings,
    request_of,
    schema_of,
    with_schema_in_prompt,
)
from pincite.models.endpoints.prompt_fit import LEAST_REPLY, counter, fitted
from pincite.models.loop import wait
from pincite.ports import Completion
from pincite.rows.drafting.statement_draft import draft
from pincite.rows.drafting.statement_form import StatementForm
from pincite.rows.drafting.statement_prompts import drafting, examples, table_text
from pincite.rows.drafting.value_hints import value_hints
from tests.rows.drafting.stores import opened

THINGS = (
    "anchor", "barge", "berth", "boiler", "buoy", "cable", "cargo", "chart", "crane", "crew", "depot", "dock", "ferry", "gauge",
    "hatch", "keel", "lamp", "light", "mast", "motor", "pilot", "quay", "radar", "winch",
)  # fmt: skip
QUESTION = "How many motors above 40 t has the depot Ostvik?"
WINDOWS = (2048, 4096, 8192)


def _script(columns):
    """24 tables that are linked in a row, each with so many columns of numbers."""
    made = []
    for before, thing in zip((None, *THINGS), THINGS, strict=False):
        own = [f"{thing}_id INTEGER PRIMARY KEY", "name TEXT", "built DATE"]
        own += [f"{before}_id INTEGER REFERENCES {before} ({before}_id)"] if before else []
        own += [f"length_{at}_mm REAL" for at in range(columns)]
        link = "1, " if before else ""
        numbers = ", ".join(f"{at}.5" for at in range(columns))
        made.append(f"CREATE TABLE {thing} ({', '.join(own)});")
        made.append(
            f"INSERT INTO {thing} VALUES (1, 'Ostvik {thing}', '2019-05-04', {link}{numbers});"
        )
    return "\n".join(made)


@pytest.fixture(scope="module", params=[3, 20], ids=["short tables", "long tables"])
def harbour(request, tmp_path_factory):
    source = opened(tmp_path_factory.mktemp("harbour"), _script(request.param))
    yield source
    source.source.close()


def shown_at(prompt, window, described):
    """What of a prompt is shown in a window, and how many tokens it takes with its reply, counted by a real tokenizer."""
    schema, dialect = schema_of(StatementForm), Dialect(described=described)

    def exact(asked):
        messages = request_of(asked, None).messages
        if described and (asked.system or asked.question):
            messages = with_schema_in_prompt(messages, schema)
        return sum(len(tokenizer().encode(each.text).ids) + 8 for each in messages)

    async def count(asked):
        return exact(asked)

    about = counter(None, schema, dialect, ReplySettings())
    made = wait(fitted(prompt, window, about, count, "m"))
    room = min(prompt.max_tokens, made.room)
    assert room >= LEAST_REPLY
    return made.prompt, exact(made.prompt) + room


@pytest.mark.parametrize("described", [True, False])
@pytest.mark.parametrize("window", WINDOWS)
def test_all_tables_of_a_database_fit(harbour, window, described):
    names = [relation.name for relation in harbour.database.relations]
    assert len(names) == 24
    whole = drafting(QUESTION, harbour.database, names, value_hints(QUESTION, harbour))
    shown, taken = shown_at(whole, window, described)
    assert taken <= window
    assert (shown.system, shown.question) == (whole.system, whole.question)
    *kept, last = shown.context
    assert tuple(kept) == whole.context[: len(kept)]
    assert whole.context[len(kept)].startswith(last)
    assert taken > 0.8 * window or shown.context == whole.context
    assert window > 2048 or shown.context != whole.context


@dataclass
class Reader:
    """Keeps what it is asked, and says that the tables hold nothing."""

    asked: list = field(default_factory=list)
    name = "reader"

    async def complete(self, prompt, form):
        self.asked.append(prompt)
        return Completion(StatementForm(statement="NONE"))


@pytest.mark.parametrize("window", WINDOWS)
def test_what_is_asked_about_is_shown_in_every_window(harbour, window, request):
    """The tables of the question are two in the middle of the database, not its first."""
    if window == 2048 and "short" in request.node.name:
        reason = "short tables are all sent, in the order of the database, of which the window keeps the first"
        request.applymarker(pytest.mark.xfail(strict=True, reason=reason))
    reader = Reader()
    draft(QUESTION, harbour, reader)
    (prompt,) = reader.asked
    shown, taken = shown_at(prompt, window, described=False)
    assert taken <= window
    for name in ("depot", "motor"):
        assert table_text(harbour.database.relation(name)) in shown.context, name
    if window > 2048:
        assert shown.examples == (examples(),)
