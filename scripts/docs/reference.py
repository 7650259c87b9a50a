"""The reference pages of the site, made from the code while mkdocs builds it: `mkdocs.yml` names this file as a hook.

Nothing that these pages say is written by hand but the meaning of each setting (`settings.toml`): a setting without one,
or a meaning without a setting, ends the build.
"""

from __future__ import annotations

import inspect
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import typer  # noqa: E402
from mkdocs.config.defaults import MkDocsConfig  # noqa: E402
from mkdocs.structure.files import File, Files  # noqa: E402
from shown_json import indexed_examples, shown_json  # noqa: E402
from typer.main import get_command  # noqa: E402

import pincite  # noqa: E402
from pincite.cli.main import app  # noqa: E402
from pincite.consent import HARMLESS  # noqa: E402
from pincite.formats.bounds import bounded  # noqa: E402
from pincite.models.model_settings import ROLES, ModelSettings  # noqa: E402
from pincite.models.model_table import MODEL_VARIABLES  # noqa: E402
from pincite.settings import Settings  # noqa: E402


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the reference pages to those of `docs/`."""
    pages = {
        "cli": commands(),
        "python": python(),
        "rest": rest(),
        "settings": settings(),
        "files": spec_files(),
        "json": shown_json(),
    }
    for name, text in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def cell(text: object) -> str:
    """A text as the cell of a Markdown table."""
    return " ".join(str(text).replace("|", "\\|").split())


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines)


def commands() -> str:
    """Every command with its arguments and options, as `--help` has them."""
    parts = [
        "# Commands",
        "Made from the program itself; `pincite COMMAND --help` prints the same. The options `--offline` and `--version` stand "
        "before the command.",
    ]
    group = get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    for name, command in group.commands.items():
        parts += [f"## {name}", inspect.cleandoc(command.help or "")]
        parts.append(table(["argument or option", "meaning", "default"], _parameters(command)))
    return "\n\n".join(parts) + "\n"


def _parameters(command: Any) -> Iterator[tuple[str, str, str]]:
    for parameter in command.params:
        if parameter.name == "help":
            continue
        if parameter.param_type_name == "argument":
            called = f"`{parameter.make_metavar(typer.Context(command))}`"
        else:
            called = ", ".join(
                f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts)
            )
        yield called, getattr(parameter, "help", "") or "", _default(parameter)


def _default(parameter: Any) -> str:
    if parameter.required:
        return f"required, or `{parameter.envvar}`" if parameter.envvar else "required"
    usual = parameter.default
    plain = usual is None or callable(usual) or usual in (False, "", [], ())
    return "" if plain else f"`{usual}`"


def python() -> str:
    """What `import pincite` offers, by mkdocstrings."""
    parts = [
        "# Python",
        "`import pincite` offers these names. Importing it costs nothing; what a name needs is loaded when it is first used.",
    ]
    homes = pincite._HOMES
    own = {home for name, home in homes.items() if name == home[1]}
    for name in pincite.__all__:
        module, attribute = homes[name]
        place = f"pincite.{module}.{attribute}"
        if name != attribute and homes[name] in own:  # `open` is Library by another name
            parts.append(f"## pincite.{name}\n\n`pincite.{name}` is [`{attribute}`](#{place}).")
        else:
            parts.append(f"::: {place}\n    options:\n      heading: pincite.{name}")
    return "\n\n".join(parts) + "\n"


def rest() -> str:
    """Every call of the REST interface and every form, from its OpenAPI description."""
    from pincite.serve.app import create_app
    from pincite.serve.corpora import served
    from pincite.serve.door.access import Access
    from pincite.serve.rest.health import contract

    with indexed_examples() as folder:
        described = contract(
            create_app(served([folder], Settings()), Access(), local=True, processes=0)
        )
    parts = ["# REST", described["info"]["description"]]
    parts.append("`/openapi.json` of a running server is the same as a file.")
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            parts += _call(method, path, operation)
    parts.append("## Forms")
    for name, schema in sorted(described["components"]["schemas"].items()):
        parts += [f"### {name}", schema.get("description", "")]
        if schema.get("properties"):
            parts.append(table(["field", "type", "meaning"], _fields(schema)))
    return "\n\n".join(parts) + "\n"


def _call(method: str, path: str, operation: Mapping[str, Any]) -> Iterator[str]:
    yield f"## `{method.upper()} {path}`"
    yield operation.get("description") or operation.get("summary", "")
    given = [
        (f"`{asked['name']}`", asked["in"], _kind(asked["schema"]), asked.get("description", ""))
        for asked in operation.get("parameters", ())
    ]
    if given:
        yield table(["parameter", "in", "type", "meaning"], given)
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"Takes {_kind(content['schema'])} (`{kind}`)."
    for status, reply in operation["responses"].items():
        for kind, content in reply.get("content", {}).items() if status.startswith("2") else ():
            yield f"Answers {status} with {_kind(content.get('schema', {}))} (`{kind}`)."


def _fields(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    needed = schema.get("required", ())
    for name, given in schema["properties"].items():
        kind = _kind(given) if name in needed else f"{_kind(given)}, optional"
        yield f"`{name}`", kind, given.get("description", "")


def _kind(schema: Mapping[str, Any]) -> str:
    """The type of a JSON schema in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "const" in schema or "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return " or ".join(map(_kind, schema[several]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "anything"))


def settings() -> str:
    """Every setting of `pincite.toml`, with its values, default, variable, and whether it needs consent."""
    meanings = tomllib.loads((HERE / "settings.toml").read_text("utf-8"))
    variables = {field.name: f"PINCITE_{field.name.upper()}" for field in fields(Settings)}
    heads = ["setting", "values", "default", "variable", "meaning"]
    parts = [
        "# Settings",
        "`pincite.toml` has two tables, `[pincite]` and `[models]`. A variable of the environment takes precedence over the "
        "file. A setting marked with an asterisk reaches outside the folder, and takes effect only after you agree to it once.",
    ]
    for title, declared, named, left_out in (
        ("pincite", Settings, variables, {"models"}),
        ("models", ModelSettings, MODEL_VARIABLES, {"roles"}),
    ):
        told = dict(meanings[title])
        rows = [
            (
                f"`{field.name}`" + ("" if field.name in HARMLESS else r" \*"),
                _values(declared, field.name),
                _usual(field),
                f"`{named[field.name]}`" if field.name in named else "",
                told.pop(field.name),
            )
            for field in fields(declared)
            if field.name not in left_out
        ]
        if told.keys() - {"provider"}:
            raise KeyError(f"settings.toml explains what is no setting: {', '.join(told)}")
        parts += [f"## `[{title}]`", table(heads, rows)]
    parts.append(
        "`provider` in `[models]` or in the table of a role fills in `base_url`, `key` and more: "
        f"{meanings['models']['provider']} The roles are {', '.join(f'`{role}`' for role in ROLES)}. "
        "[Language models](../how-to/models.md) has examples."
    )
    return "\n\n".join(parts) + "\n"


def _values(declared: type, name: str) -> str:
    if name in bounded(declared):
        kind, bounds = bounded(declared)[name]
        return bounds.said(kind)
    hint = get_type_hints(declared)[name]
    if allowed := get_args(hint):
        if all(isinstance(value, str) for value in allowed):
            return ", ".join(f'`"{value}"`' for value in allowed)
        return "table"
    return {str: "text", bool: "true or false"}.get(hint, "text")


def _usual(field: Any) -> str:
    if field.default is MISSING:
        return "empty"
    if field.default in ("", None, ()):
        return "none"
    return f"`{str(field.default).lower() if isinstance(field.default, bool) else field.default}`"


def spec_files() -> str:
    """The files that commands read, as the modules that read them describe them."""
    parts = ["# Files", "Each section is what the module that reads the file says of it."]
    for title, module, name in (
        ("Questions of `pincite batch`", "pincite.workbench.batch", "read_questions"),
        ("Grids of `pincite grid`", "pincite.workbench.grid.spec", ""),
        ("Experiments of `pincite experiment`", "pincite.lab.experiments.experiment", ""),
        ("Spaces of `pincite tune`", "pincite.lab.experiments.parameter_space", ""),
    ):
        home = import_module(module)
        parts += [f"## {title}", inspect.cleandoc((getattr(home, name) if name else home).__doc__)]
        if name == "read_questions":
            parts.append(_question_fields())
    parts.append(
        "[Grids](../how-to/grid.md), [the laboratory](../laboratory/laboratory.md) and [metadata](../how-to/metadata.md) explain "
        "them with examples."
    )
    return "\n\n".join(parts) + "\n"


def _question_fields() -> str:
    told = tomllib.loads((HERE / "settings.toml").read_text("utf-8"))["questions"]
    from pincite.workbench import batch

    source = inspect.getsource(batch._question)
    unknown = [name for name in told if f'"{name}"' not in source]
    if unknown:
        raise KeyError(f"no question file has the field {', '.join(unknown)}")
    return table(["field", "meaning"], [(f"`{name}`", meaning) for name, meaning in told.items()])
