"""Consent to settings that were found and not chosen: whoever wrote the folder that one works in wrote its pincite.toml too."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pincite import agreements as agreed
from pincite.errors import ConsentMissing
from pincite.models.model_settings import ROLES, ModelSettings

VARIABLE = "PINCITE_TRUST"
"""The environment variable that may hold what was agreed to, where no terminal can be asked on."""

HARMLESS = frozenset((
    "threshold", "derived", "silence", "pages", "row_limit", "ocr", "ocr_engine", "ocr_languages", "terms", "proxy",
    "other_unit", "prices", "concurrency", "requests_per_minute", "tokens_per_minute", "budget", "timeout",
))  # fmt: skip
"""Settings that send nothing anywhere and run nothing. Every other one needs consent: a new setting does until it stands here."""


def check(path: Path, tables: Iterable[Mapping[str, Any]], environment: Mapping[str, str]) -> None:
    """Raise ConsentMissing for what the settings at `path` reach outside its folder, unless the user has agreed to just that."""
    found = {name: value for table in tables for name, value in table.items() if _reaches(name, value, path)}
    if not found:
        return
    place = path.resolve()
    digest = agreed.digest_of(str(place), json.dumps(found, sort_keys=True, default=str))
    if digest != environment.get(VARIABLE) and not agreed.is_agreed(digest):
        raise ConsentMissing(str(place), "; ".join(_effects(found, environment)), digest, VARIABLE)


def agree(missing: ConsentMissing) -> None:
    """Remember that the user agreed: for this process and those that it starts, and in the folder of their state if they can."""
    os.environ[VARIABLE] = missing.digest
    agreed.agree(missing.digest)


def _reaches(name: str, value: Any, path: Path) -> bool:
    if not value:  # an empty name, and a switch that is off
        return False
    if name == "units":
        folder = path.resolve().parent
        return not (isinstance(value, str) and (folder / value).resolve().is_relative_to(folder))
    return name not in HARMLESS


def _effects(found: Mapping[str, Any], environment: Mapping[str, str]) -> list[str]:
    """What the settings would do, in words; texts of the file are shown as ASCII, so that none passes for another."""
    told = []
    if {"base_url", "key", *ROLES} & found.keys():
        url = str(found.get("base_url") or environment.get("OPENAI_BASE_URL") or ModelSettings().base_url)
        key = str(found.get("key") or ModelSettings().key)
        told.append(f"it sends questions and passages to {_ascii(_host(url))} with the key in {_ascii(key)}")
    return [*told, *(f"{name} = {_ascii(value)}" for name, value in sorted(found.items()))]


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


def _ascii(value: Any) -> str:
    return json.dumps(value, default=str)
