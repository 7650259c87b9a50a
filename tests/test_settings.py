"""The settings: what the file and the environment say, and what is said about a value that cannot be."""

from dataclasses import fields, replace
from decimal import Decimal

import pytest

from pincite.errors import ModelMissing, UsageError
from pincite.generate.rules import Rules
from pincite.models.model_settings import ModelSettings
from pincite.settings import Settings, load, rule_sets, ruled, with_model
from pincite.storage.ledger import Price

WHOLE = """
[pincite]
threshold = 0.25
terms = "exact"

[models]
base_url = "http://127.0.0.1:8000/v1/"
key = "MY_KEY"
large = "big"
small = "little"
concurrency = 3
requests_per_minute = 500
tokens_per_minute = 200000
budget = 5.10
timeout = 30
telemetry = true

[models.prices.big]
input = 2.5
output = 10
cached = 1.25

[models.prices."little/7b"]
input = 0
output = 0
"""


def written(folder, text):
    (folder / "pincite.toml").write_text(text)
    return folder


def test_a_whole_file(tmp_path):
    settings = load(written(tmp_path, WHOLE), {})
    assert (settings.threshold, settings.terms, settings.proxy) == (0.25, "exact", "forbid")
    assert settings.models == ModelSettings(
        base_url="http://127.0.0.1:8000/v1", key="MY_KEY", large="big", small="little",
        prices={"big": Price(Decimal("2.5"), Decimal(10), Decimal("1.25")), "little/7b": Price()},
        concurrency=3, requests_per_minute=500, tokens_per_minute=200_000, budget=Decimal("5.10"), timeout=30.0,
        telemetry=True,
    )  # fmt: skip
    assert settings.models.names == {
        "large": "big",
        "small": "little",
        "judge": "big",
        "vision": "big",
    }


def test_without_anything_no_model_is_named(tmp_path):
    assert load(tmp_path, {}) == Settings()
    assert load(tmp_path, {"OPENAI_API_KEY": "sk-1"}).models.names == {}


def test_one_variable_turns_the_models_on(tmp_path):
    models = load(
        tmp_path, {"PINCITE_MODEL": "m", "OPENAI_BASE_URL": "http://localhost:1/v1"}
    ).models
    assert (models.base_url, models.key, models.concurrency) == (
        "http://localhost:1/v1",
        "OPENAI_API_KEY",
        25,
    )
    assert models.names == dict.fromkeys(("large", "small", "judge", "vision"), "m")


def test_variables_go_before_the_file_but_the_shared_one_does_not(tmp_path):
    said = {
        "PINCITE_MODEL": "m",
        "PINCITE_JUDGE": "j",
        "PINCITE_VISION": "",
        "OPENAI_BASE_URL": "http://elsewhere/v1",
    }
    models = load(written(tmp_path, WHOLE), said).models
    assert models.names == {"large": "m", "small": "little", "judge": "j", "vision": "m"}
    assert (
        models.base_url == "http://127.0.0.1:8000/v1"
    )  # a key must not go to where another program's variable points


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("base_url = 'localhost'", "base_url"),
        ("base_url = 7", "base_url"),
        ("large = 1", "large"),
        ("judge = ' x'", "judge"),
        ("concurrency = 0", "concurrency"),
        ("concurrency = 2.5", "concurrency"),
        ("concurrency = true", "concurrency"),
        ("requests_per_minute = -1", "requests_per_minute"),
        ("tokens_per_minute = 'many'", "tokens_per_minute"),
        ("budget = -1", "budget"),
        ("budget = nan", "budget"),
        ("budget = 'five'", "budget"),
        ("budget = true", "budget"),
        ("timeout = 0", "timeout"),
        ("telemetry = 'yes'", "telemetry"),
        ("prices = 3", "prices"),
        ("prices = {m = 3}", "'m'"),
        ("prices = {m = {input = 1}}", "'m'"),
        ("prices = {m = {input = 1, output = 2, more = 3}}", "'m'"),
        ("prices = {m = {input = 'a', output = 2}}", "input of 'm'"),
        ("modle = 'x'", "'modle' in [models]"),
    ],
)
def test_a_value_that_cannot_be_is_named(tmp_path, line, named):
    with pytest.raises(UsageError) as raised:
        load(written(tmp_path, f"[models]\n{line}\n"), {})
    assert named in str(raised.value)


def test_a_key_in_the_place_of_its_name_is_not_repeated(tmp_path):
    with pytest.raises(UsageError, match="never the key itself") as raised:
        load(written(tmp_path, "[models]\nkey = 'sk-Secret123'\n"), {})
    assert "Secret" not in str(raised.value)


@pytest.mark.parametrize("text", ["[model]\nlarge = 'x'\n", "threshold = 0.2\n", "models = 3\n"])
def test_what_stands_elsewhere_is_not_passed_over(tmp_path, text):
    with pytest.raises(UsageError, match=r"\[pincite\] and \[models\]"):
        load(written(tmp_path, text), {})


def test_the_model_of_a_role_or_of_a_name():
    settings = Settings(models=ModelSettings(large="big", small="little"))
    assert with_model(settings) == settings
    assert with_model(settings, "small").models.large == "little"
    assert with_model(settings, "judge").models.large == "big"
    assert with_model(settings, "other").models.large == "other"
    assert with_model(settings, off=True).models.names == {}
    with pytest.raises(UsageError, match="exclude each other"):
        with_model(settings, "small", off=True)
    with pytest.raises(ModelMissing, match="PINCITE_MODEL"):
        with_model(replace(settings, models=ModelSettings()), "large")


def test_each_role_may_have_a_provider_of_its_own(tmp_path):
    (tmp_path / "pincite.toml").write_text(
        '[models]\nprovider = "openai"\nlarge = "gpt"\n'
        'judge = { name = "llama", provider = "groq", max_tokens = 4096, temperature = 0.2 }\n'
        'vision = { name = "eye", extra_body = { num_ctx = 32768 } }\n'
    )
    models = load(tmp_path, {}).models
    assert models.names == {"large": "gpt", "small": "gpt", "judge": "llama", "vision": "eye"}
    assert models.role("small") is models and models.key == "OPENAI_API_KEY"
    judge, vision = models.role("judge"), models.role("vision")
    assert (judge.base_url, judge.key) == ("https://api.groq.com/openai/v1", "GROQ_API_KEY")
    assert (judge.max_tokens, judge.temperature) == (4096, 0.2)
    assert (vision.base_url, vision.extra_body) == (models.base_url, '{"num_ctx": 32768}')


def test_a_role_with_an_address_of_its_own_gets_no_key_of_another(tmp_path):
    (tmp_path / "pincite.toml").write_text(
        '[models]\nkey = "MINE"\nheaders = { a = "$MINE" }\nextra_body = { a = 1 }\nlarge = "m"\n'
        'judge = { base_url = "http://there/v1", name = "n" }\n'
    )
    judge = load(tmp_path, {}).models.role("judge")
    assert (judge.base_url, judge.key, judge.headers, judge.extra_body) == (
        "http://there/v1",
        "",
        (),
        "{}",
    )


def test_an_azure_deployment_is_three_settings(tmp_path):
    (tmp_path / "pincite.toml").write_text(
        '[models]\nprovider = "azure"\nbase_url = "https://x.openai.azure.com/openai/deployments/gpt"\n'
        'query = { api-version = "2024-10-21" }\nlarge = "gpt"\n'
    )
    models = load(tmp_path, {}).models
    assert (models.key, models.headers) == ("", (("api-key", "$AZURE_OPENAI_API_KEY"),))
    assert models.query == (("api-version", "2024-10-21"),)


@pytest.mark.parametrize(
    "line, told",
    [
        ('provider = "grok"', "must be one of openai, azure, .*, or left out, not 'grok'"),
        ("provider = [1]", "must be one of openai"),
        ('provider = "azure"', "needs `base_url`"),
        ('large = { nam = "x" }', "unknown setting 'nam' in 'large' of"),
        ("headers = { a = 1 }", "table of texts"),
        ("extra_body = 3", "must be a table"),
        ("judge = { max_tokens = 1 }", "whole number from 16"),
    ],
)
def test_what_cannot_be_said_of_an_endpoint_is_named(tmp_path, line, told):
    (tmp_path / "pincite.toml").write_text(f"[models]\n{line}\n")
    with pytest.raises(UsageError, match=told):
        load(tmp_path, {})


def test_a_set_of_rules_is_one_setting_and_what_stands_beside_it_goes_before_it(tmp_path):
    erc = load(written(tmp_path, '[pincite]\nrules = "erc"\n'), {})
    assert (erc.derived, erc.proxy, erc.other_unit, erc.doubt) == ("forbid", "forbid", "na", "na")
    own = load(written(tmp_path, '[pincite]\nrules = "erc"\nderived = "allow"\n'), {})
    assert (own.derived, own.other_unit) == ("allow", "na")
    wattbot = load(written(tmp_path, ""), {"PINCITE_RULES": "wattbot"})
    assert (wattbot.doubt, wattbot.proxy, wattbot.derived) == ("nearest", "allow", "allow")
    plain = load(written(tmp_path, '[pincite]\nrules = "plain"\n'), {})
    assert plain == replace(Settings(), rules="plain", models=plain.models)


def test_a_set_of_rules_that_is_not_known_is_named_with_those_that_are(tmp_path):
    with pytest.raises(UsageError, match="one of plain, erc, wattbot, not 'erk'"):
        load(written(tmp_path, '[pincite]\nrules = "erk"\n'), {})


def test_a_set_that_a_recipe_brings_gives_way_to_the_one_that_is_named():
    assert ruled(Settings(), "erc").derived == "forbid"
    assert ruled(Settings(rules="plain"), "erc") == Settings(rules="plain")
    assert ruled(Settings(silence="no"), "erc").silence == "no"
    assert ruled(Settings(), "jsonl") == Settings()


def test_every_set_says_only_what_rules_have(tmp_path):
    names = {field.name for field in fields(Rules)}
    for name, values in rule_sets().items():
        assert values.keys() <= names and Rules(**values)
        lines = "".join(f'{key} = "{value}"\n' for key, value in values.items())
        said = load(
            written(tmp_path, f"[pincite]\n{lines}"), {}
        )  # each value is one that its setting may have
        assert replace(said, rules=name) == load(
            written(tmp_path, f'[pincite]\nrules = "{name}"\n'), {}
        )
