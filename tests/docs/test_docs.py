"""The documents are run: every Python block executes, every command and option that they show exists."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from pincite.cli.main import app
from pincite.settings import load

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


def verbs():
    command = get_command(app)
    assert isinstance(command, typer.core.TyperGroup)
    return command.commands


@pytest.mark.parametrize("block", blocks("python"))
def test_python_blocks_run(block, tmp_path):
    os.symlink(ROOT / "examples", tmp_path / "examples")
    done = subprocess.run(
        [sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "11706000 EUR halvorsen-annual-report-2023.pdf 3\n"


def test_the_settings_shown_are_read(tmp_path):
    (tmp_path / "pincite.toml").write_text("".join(blocks("toml")))
    settings = load(tmp_path, {})
    assert (settings.derived, settings.pages, settings.units) == ("allow", 8, "units.toml")
    assert (settings.models.large, settings.models.concurrency) == ("big-model", 25)


def test_every_command_in_the_readme_exists():
    shown = set(re.findall(r"^\$ pincite ([a-z]+)\b", "".join(blocks("console")), re.M))
    table = re.findall(r"^\| (`.*?) \|", README, re.M)
    shown |= {name for row in table for name in re.findall(r"`([a-z]+)\b", row)}
    assert shown <= set(verbs())
    assert set(verbs()) <= shown, "a command that the README does not show"


def test_every_option_in_the_readme_exists():
    known = {
        option
        for verb in verbs().values()
        for parameter in verb.params
        for option in parameter.opts
    }
    known |= {"--offline", "--version"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) <= known


def test_every_make_target_in_the_readme_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert set(re.findall(r"`?make ([a-z]+)", README)) <= targets


def test_every_link_in_the_documents_leads_somewhere():
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_every_verb_takes_json():
    for name, verb in verbs().items():
        if name == "mcp":
            continue  # it speaks JSON and nothing else
        assert "--json" in {option for parameter in verb.params for option in parameter.opts}, name
