"""What the documents name exists: commands, options, targets of make, links. `test_pages_run.py` runs what they show."""

import re
from pathlib import Path

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


def test_the_settings_shown_are_read(tmp_path):
    shown = re.findall(
        r"```toml\n(.*?)```", (ROOT / "docs/how-to/models.md").read_text("utf-8"), re.S
    )[0]
    (tmp_path / "pincite.toml").write_text(shown)
    settings = load(tmp_path, {})
    assert (settings.models.large, settings.models.concurrency) == ("big-model", 25)


def test_every_command_in_the_readme_exists():
    shown = set(re.findall(r"^\$ pincite ([a-z]+)\b", "".join(blocks("console")), re.M))
    assert {"ask", "index", "serve", "show"} <= shown <= set(verbs())


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
    for document in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            made = target.startswith(("reference/", "../reference/"))  # by `make docs`
            assert made or (document.parent / target).exists(), (
                f"{document.name} links to {target}"
            )


def test_every_verb_takes_json():
    for name, verb in verbs().items():
        if name == "mcp":
            continue  # it speaks JSON and nothing else
        assert "--json" in {option for parameter in verb.params for option in parameter.opts}, name
