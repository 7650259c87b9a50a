"""The page on language models names every provider as the data have it, and every setting that a role may have."""

from dataclasses import fields
from pathlib import Path

import pytest

from pincite.models.model_settings import RoleSettings
from pincite.models.providers import providers
from pincite.settings import load

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "models.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", providers())
def test_every_provider_has_a_row(name):
    known = providers()[name]
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |"))
    assert known.get("base_url", "base_url") in row
    key = known["key"] or dict(known.get("headers", {})).get("api-key", "$none")[1:]
    assert key in row or not known["key"] and "| none |" in row


@pytest.mark.parametrize("name", [field.name for field in fields(RoleSettings)])
def test_every_setting_of_a_role_is_described(name):
    assert f"`{name}" in PAGE


def test_the_example_is_read(tmp_path):
    example = PAGE.split("```toml\n# pincite.toml\n")[1].split("```")[0]
    (tmp_path / "pincite.toml").write_text(example)
    models = load(tmp_path, {}).models
    assert models.role("judge").key == "GROQ_API_KEY" and models.role("vision").key == ""
    assert models.role("small").base_url == "https://api.openai.com/v1"
