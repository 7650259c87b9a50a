"""Consent to settings that were found, not chosen: whoever wrote the working folder also wrote its pincite.toml."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pincite import untrusted
from pincite.errors import ConsentMissing
from pincite.models.local.weights import LOCAL
from pincite.models.model_settings import ROLES, ModelSettings
from pincite.models.providers import providers

VARIABLE = untrusted.TRUST

HARMLESS = frozenset((
    "threshold", "derived", "silence", "pages", "row_limit", "ocr", "ocr_engine", "ocr_languages", "terms", "proxy",
    "other_unit", "doubt", "rules", "forms", "prices", "concurrency", "requests_per_minute", "tokens_per_minute", "budget",
    "timeout", "context", "max_tokens", "temperature", "own_temperature", "reasoning_effort",
))  # fmt: skip
"""Settings that send nothing anywhere and run nothing. Every other one needs consent: a new setting does until it stands here."""
_ADDRESS = ("base_url", "key", "headers", "query")


def check(path: Path, tables: Iterable[Mapping[str, Any]], environment: Mapping[str, str]) -> None:
    """Raise ConsentMissing for what the settings at `path` reach outside its folder, unless the user has agreed to just that."""
    given = chain.from_iterable(table.items() for table in tables)
    found = {name: value for name, value in given if _reaches(name, value, path)}
    if not found:
        return
    place = path.resolve()
    digest = untrusted.agreement_of(str(place), json.dumps(found, sort_keys=True, default=str))
    if digest != environment.get(VARIABLE) and not untrusted.is_agreed(digest):
        raise ConsentMissing(str(place), "; ".join(_effects(found, environment)), digest, VARIABLE)


def agree(missing: ConsentMissing) -> None:
    """Remember that the user agreed: for this process and those that it starts, and in the folder of their state if they can."""
    os.environ[VARIABLE] = missing.digest
    untrusted.agree(missing.digest)


def _reaches(name: str, value: Any, path: Path) -> bool:
    if not value:  # an empty name, and a switch that is off
        return False
    if name in ("units", "corpus"):
        folder = path.resolve().parent
        inside = isinstance(value, str) and (folder / value).resolve().is_relative_to(folder)
        return not inside or "://" in value
    if name in ROLES and isinstance(value, str) and value.startswith(LOCAL):
        return False  # what it is shown stays on this machine
    return name not in HARMLESS


def _effects(found: Mapping[str, Any], environment: Mapping[str, str]) -> list[str]:
    """What the settings would do, in words; texts of the file are shown as ASCII, so that none passes for another."""
    shared = {name: found[name] for name in ("provider", *_ADDRESS) if name in found}
    places = [_destination(shared, environment)] if shared or set(ROLES) & found.keys() else []
    for own in map(found.get, ROLES):
        if not isinstance(own, Mapping):
            continue
        if {"provider", "base_url"} & own.keys():
            whole = own if "provider" in own else {"key": "", **own}
            places.append(_destination(whole, environment))
        elif set(_ADDRESS) & own.keys():
            places.append(_destination({**shared, **own}, environment))
    told = [f"it sends questions and passages to {place}" for place in places]
    seeing = _picture_encoders(found, shared, environment)
    told += [f"it sends pictures of all pages to {place}" for place in seeing]
    settings = (f"{name} = {_ascii(value)}" for name, value in sorted(found.items()))
    return [*dict.fromkeys(told), *settings]


def _picture_encoders(
    found: Mapping[str, Any], shared: Mapping[str, Any], environment: Mapping[str, str]
) -> list[str]:
    """Where encoders are that see pictures, in words."""
    named = found.get("encoders")
    texts = [found.get("encoder"), *(named.values() if isinstance(named, Mapping) else ())]
    told = []
    for text in texts:
        kind, _, query = str(text or "").partition("?")
        options = dict(parse_qsl(query))
        if kind.startswith("openai:") and options.get("images", "no") != "no":
            own = {"key": "", **options} if "base_url" in options else {**shared, **options}
            told.append(_destination(own, environment))
    return told


def _destination(table: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """Where a table sends questions, and with which key, in words."""
    known: Mapping[str, Any] = {}
    if "provider" in table:
        known = providers().get(str(table["provider"]), {})
    elif "base_url" not in table:
        known = {"base_url": environment.get("OPENAI_BASE_URL")}
    url = str(table.get("base_url") or known.get("base_url") or ModelSettings().base_url)
    key = str(table.get("key", known.get("key", ModelSettings().key)))
    try:
        host = urlsplit(url).hostname or url
    except ValueError:
        host = url
    return f"{_ascii(host)} with {f'the key in {_ascii(key)}' if key else 'no key'}"


def _ascii(value: Any) -> str:
    return json.dumps(value, default=str)
