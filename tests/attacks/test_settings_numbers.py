"""Numbers that people set, found by their declaration: nan, inf, a negative one and one too large are refused with a message."""

import math
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import get_type_hints

import pytest
import typer
from fastapi.routing import APIRoute
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.errors import UsageError
from pincite.formats.bounds import Bounds, bounded, number, within
from pincite.formats.yamlfile import Given
from pincite.lab.experiments.parameter_space import read_space
from pincite.models.model_names import named_encoder
from pincite.models.model_settings import ModelSettings
from pincite.models.shipped import threads
from pincite.recipes import RECIPES, read, recipe
from pincite.serve.app import create_app
from pincite.settings import Settings, load
from pincite.storage.ledger import Price, money

NOT_NUMBERS = [
    "nan", "NaN", "-nan", "inf", "-inf", "Infinity", "1e999", "-1", "-0.5", "1e30", "", "many", "0x10", "9" * 5000,
]  # fmt: skip
VALUES = [
    float("nan"), float("inf"), -float("inf"), -1, -0.5, 10**30, True, Decimal("NaN"), Decimal("Infinity"), [1],
]  # fmt: skip
IN_TOML = ["nan", "inf", "-inf", "-1", "1e999", "true", '"nan"', "1e30", "[1]"]


def numeric(declared):
    """The fields of a class that hold a number."""
    kinds = (int, float, Decimal, int | None, float | None, Decimal | None)
    return [name for name, hint in get_type_hints(declared).items() if hint in kinds]


@pytest.mark.parametrize("declared", [Settings, ModelSettings, Price])
def test_every_number_is_declared_with_bounds(declared):
    assert set(numeric(declared)) == set(bounded(declared)) != set()
    assert all(
        math.isfinite(bounds.least) and math.isfinite(bounds.most)
        for _, bounds in bounded(declared).values()
    )


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize(
    ("declared", "name"),
    [(one, name) for one in (Settings, ModelSettings, Price) for name in bounded(one)],
)
def test_a_value_in_python(declared, name, value):
    with pytest.raises(UsageError, match=name):
        declared(**{name: value})


def test_what_is_just_outside_is_refused_and_what_is_just_inside_is_taken():
    for declared in (Settings, ModelSettings, Price):
        for name, (kind, bounds) in bounded(declared).items():
            for edge, step in ((bounds.least, -1), (bounds.most, 1)):
                declared(**{name: kind(edge)})
                with pytest.raises(UsageError, match=name):
                    declared(**{name: kind(edge) + step})


@pytest.mark.parametrize("name", bounded(Settings))
def test_a_variable_of_the_environment(tmp_path, name):
    for text in (*NOT_NUMBERS, " ", "1e309", "1e999999999", "sNaN", "--1", "1,5"):
        with pytest.raises(UsageError, match=f"{name}.*must be") as told:
            load(tmp_path, {f"PINCITE_{name.upper()}": text})
        assert len(str(told.value)) < 200
    assert load(tmp_path, {}) == Settings()


@pytest.mark.parametrize("value", IN_TOML)
@pytest.mark.parametrize(("table", "declared"), [("pincite", Settings), ("models", ModelSettings)])
def test_a_value_of_the_file(tmp_path, table, declared, value):
    for name in bounded(declared):
        (tmp_path / "pincite.toml").write_text(f"[{table}]\n{name} = {value}\n", encoding="utf-8")
        with pytest.raises(UsageError, match=name):
            load(tmp_path, {})


@pytest.mark.parametrize("value", IN_TOML)
def test_a_price_of_the_file(tmp_path, value):
    text = f"[models.prices.m]\ninput = {value}\noutput = 1\n"
    (tmp_path / "pincite.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="input of 'm'"):
        load(tmp_path, {})


@pytest.mark.parametrize("text", [*NOT_NUMBERS, "1e999999999", "-1e999999999"])
def test_a_budget(text):
    with pytest.raises(UsageError, match="--budget must be a number from 0 to 1,000,000"):
        money("--budget", text)


@pytest.mark.parametrize("text", [text for text in NOT_NUMBERS if text] + ["0", "2.5"])
def test_the_threads(monkeypatch, text):
    monkeypatch.setenv("PINCITE_THREADS", text)
    with pytest.raises(UsageError, match="PINCITE_THREADS must be a whole number"):
        threads()


def numbers_of_recipes():
    hints = {kind: get_type_hints(kind) for kind in (RECIPES[name] for name in RECIPES)}
    return [
        (kind.name, field.name)
        for kind in hints
        for field in fields(kind)
        if hints[kind][field.name] in (int, float)
    ]


@pytest.mark.parametrize(("name", "parameter"), numbers_of_recipes())
def test_a_parameter_of_a_recipe(name, parameter):
    for value in (*NOT_NUMBERS[:-1], *(value for value in VALUES if value != [1])):
        with pytest.raises(UsageError, match=parameter):
            recipe(name, **{parameter: value})
    for spelled in ("1e999", "-1", "1e30"):
        with pytest.raises(UsageError, match=parameter):
            read(f"{type(recipe(name)).__name__}({parameter}={spelled})")


def options():
    """Every option of the command line that is a number, with the way to it."""

    def walk(command, path):
        for name, inner in getattr(command, "commands", {}).items():
            yield from walk(inner, (*path, name))
        for option in command.params:
            if option.type.name.split()[0] in ("integer", "float"):
                yield path, option

    return list(walk(typer.main.get_command(app), ()))


def test_there_are_options():
    assert len(options()) > 5


@pytest.mark.parametrize(("path", "option"), options(), ids=lambda one: getattr(one, "name", None))
def test_an_option(path, option):
    assert math.isfinite(option.type.min) and math.isfinite(option.type.max)
    for text in ("nan", str(option.type.max + 1)):
        told = CliRunner().invoke(app, [*path, option.opts[0], text])
        assert told.exit_code == 2 and isinstance(told.exception, SystemExit), (text, told.output)


def test_every_number_of_a_request_has_bounds():
    unbounded = []
    for route in create_app({}).routes:
        if isinstance(route, APIRoute):
            for part in (route.dependant, *route.dependant.dependencies):
                for given in (*part.query_params, *part.path_params, *part.header_params):
                    if given.field_info.annotation in (int, float):
                        edges = {type(one).__name__ for one in given.field_info.metadata}
                        if not {"Ge", "Le"} <= edges:
                            unbounded.append((route.path, given.name))
    assert unbounded == []


def test_every_number_of_a_body_has_bounds():
    schemas = create_app({}).openapi()["components"]["schemas"]
    taken = {name: schema for name, schema in schemas.items() if name.endswith("In")}
    unbounded = [
        (name, key)
        for name, schema in taken.items()
        for key, value in schema["properties"].items()
        if value.get("type") in ("integer", "number") and not {"minimum", "maximum"} <= set(value)
    ]
    assert taken and unbounded == []


@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf", "-1", "1e30", "true", "'3'"])
def test_a_number_of_an_experiment(value):
    import yaml

    given = Given(Path("x.yaml"), {"k": yaml.safe_load(value)}, {})
    with pytest.raises(UsageError, match="a whole number from 1"):
        given.whole(("k",), None, 1)


@pytest.mark.parametrize("key", ["low", "high", "step"])
@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf", "1.0e+300"])
def test_a_range_of_a_space(tmp_path, key, value):
    told = {"low": "0.1", "high": "0.9", "step": "0.1", key: value}
    lines = "".join(f", {name}: {text}" for name, text in told.items())[2:]
    path = tmp_path / "space.yaml"
    path.write_text(f"recipe: default\nspace:\n  b: {{{lines}}}\n", encoding="utf-8")
    with pytest.raises(UsageError):
        read_space(path)


def test_an_option_of_a_named_model():
    for text in ("nan", "-1", "0", "inf", "1e3", "9" * 30):
        with pytest.raises(UsageError, match="whole number"):
            named_encoder(f"openai:m?size={text}", ModelSettings())


def test_numbers_that_are_meant_are_read():
    assert within("0.5", float, Bounds(0, 1)) == 0.5 and within(" 8 ", int, Bounds(1, 9)) == 8
    assert within(Decimal("8.0"), int, Bounds(1, 9)) == 8
    assert within("8.5", int, Bounds(1, 9)) is None
    assert number("n", 3, Decimal, Bounds(0, 9)) == Decimal(3)
    with pytest.raises(UsageError, match="^n must be a whole number from 1 to 1,000, not 'x'$"):
        number("n", "x", int, Bounds(1, 1000))
