"""The schema that a model on board is held to: no text and no list without an end."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from pincite.models.forms import judgements_form
from pincite.models.local.client import ITEM, ITEMS, TEXT, BoundedSchema


class Free(BaseModel):
    value: str
    names: list[str]
    short: Annotated[str, Field(max_length=9)]
    few: Annotated[list[int], Field(max_length=2)]


def bounded(form: type[BaseModel]) -> dict[str, Any]:
    return BoundedSchema(form.model_json_schema(), strict=True).walk()


def test_texts_and_lists_end():
    held = bounded(Free)["properties"]
    assert held["value"]["maxLength"] == TEXT
    assert (held["names"]["maxItems"], held["names"]["items"]["maxLength"]) == (ITEMS, ITEM)


def test_what_a_form_says_holds():
    held = bounded(Free)["properties"]
    assert (held["short"]["maxLength"], held["few"]["maxItems"]) == (9, 2)


def test_a_judge_has_room_for_the_pieces_it_is_shown():
    held = bounded(judgements_form(3))
    assert held["properties"]["judgements"]["maxItems"] == 3
    assert held["$defs"]["Judgement"]["properties"]["reasoning"]["maxLength"] < TEXT
    assert set(held["required"]) == {"judgements"}
