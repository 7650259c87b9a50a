import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from pincite.models.endpoints.exchange import (
    json_of,
    read_reply,
    request_of,
    schema_of,
    with_schema_in_prompt,
)
from pincite.models.endpoints.replies import KeptReply
from pincite.ports import Prompt


class Form(BaseModel):
    value: int
    unit: str = Field(default="", max_length=3)


@pytest.mark.parametrize(
    "text, found",
    [
        ('{"a": 1}', '{"a": 1}'),
        (' \n{"a": {"b": [1, {}]}}\n', '{"a": {"b": [1, {}]}}'),
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ('Here you are:\n```\n{"a": 1}\n```\nAnything else?', '{"a": 1}'),
        ('Surely. {"a": "}"} is my answer.', '{"a": "}"}'),
        ('<think>maybe {"a": 2}?</think>{"a": 1}', '{"a": 1}'),
        ('{"a": [1, 2,], "b": ",]",}', '{"a": [1, 2], "b": ",]"}'),
        ('{"a": 1} and again {"a": 1}', '{"a": 1}'),
        # unclear
        ('{"a": 1} or rather {"a": 2}', None),
        ('{"a": {"b": 1}, "c": ', None),
        ('{"a": 1, "a": 2}', None),
        ('{"a": NaN}', None),
        ('[1, 2]', None),
        ("in the set {1, 2} it is {\"a\": 1}", None),
        ("It is 7.", None),
        ("", None),
        ("{" * 5000, None),
    ],
)  # fmt: skip
def test_the_one_object_of_a_reply_is_found_or_it_is_unclear(text, found):
    assert json_of(text) == found


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=5), JSON, min_size=1, max_size=4),
    st.sampled_from([None, 0, 2]),
)
def test_every_object_is_read_back_as_it_was_written_and_no_half_of_it(value, indent):
    written = json.dumps(value, indent=indent, ensure_ascii=False)
    assert json.loads(json_of(written)) == value
    assert json.loads(json_of(f"```json\n{written}\n```") or written) == value
    assert json_of(written[: len(written) // 2]) is None


def test_a_reply_that_fits_is_the_form():
    assert read_reply(KeptReply('{"value": 3, "unit": "kg"}'), Form, 100) == Form(
        value=3, unit="kg"
    )
    assert read_reply(KeptReply('{"value": 3}', "length"), Form, 100) == Form(value=3)


@pytest.mark.parametrize(
    "reply, told",
    [
        (KeptReply(""), "empty"),
        (KeptReply("  "), "empty"),
        (KeptReply('{"val'), "not one valid JSON object"),
        (KeptReply('{"val', "length"), "cut off after 100 tokens"),
        (KeptReply("", "content_filter"), "refusal"),
        (KeptReply('{"value": 3}', "tool_call"), "There are no tools"),
        (
            KeptReply('{"unit": "stone"}'),
            "value: Field required; unit: String should have at most 3 characters",
        ),
    ],
)
def test_a_reply_that_does_not_fit_is_told_what_is_wrong(reply, told):
    assert told in read_reply(reply, Form, 100)


def test_messages_are_rules_context_question_and_the_turns():
    prompt = Prompt(
        "Rules.", "Question?", ("one", "two"), turns=(("first try", "wrong"), ("", "empty"))
    )
    assert [(one.role, one.text) for one in request_of(prompt, None).messages] == [
        ("system", "Rules."),
        ("user", "one\n\ntwo\n\nQuestion?"),
        ("assistant", "first try"),
        ("user", "wrong"),
        ("assistant", "(no reply)"),
        ("user", "empty"),
    ]
    other_way = Prompt("", "Question?", ("one",), context_first=False)
    assert [one.text for one in request_of(other_way, None).messages] == ["Question?\n\none"]


def test_the_schema_joins_the_rules_where_an_endpoint_takes_none():
    schema = schema_of(Form)
    (told, user) = with_schema_in_prompt(
        request_of(Prompt("Rules.", "Q?"), schema).messages, schema
    )
    assert told.text.startswith("Rules.\n\n")
    assert json_of(told.text) == json.dumps(schema)
    assert user.text == "Q?"
    assert with_schema_in_prompt((user,), schema)[0].role == "system"


def test_half_a_surrogate_pair_is_sent_as_a_question_mark():
    assert request_of(Prompt("", "a \ud83d b"), None).messages[0].text == "a ? b"


@given(st.text(max_size=60), st.lists(st.text(max_size=40), max_size=3))
def test_a_token_is_a_byte_at_least(question, context):
    request = request_of(Prompt("Rules.", question, tuple(context)), schema_of(Form))
    said = "".join(one.text for one in request.messages)
    assert request.most_tokens() >= len(said.encode()) + len(json.dumps(schema_of(Form)).encode())


def test_numbers_keep_their_digits():
    class Exact(BaseModel):
        value: Decimal

    assert str(read_reply(KeptReply('{"value": "0.10"}'), Exact, 9).value) == "0.10"
