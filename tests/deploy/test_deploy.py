"""The files that start containers: their commands and addresses are those that Pincite and Dask take."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import click
import pytest
import yaml
from distributed.cli import dask_scheduler, dask_worker
from typer.main import get_command

from pincite.cli.main import app
from pincite.storage import address_of, corpus_folder

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
MANIFESTS = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))
DASK = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}


def words(given):
    return shlex.split(given) if isinstance(given, str) else list(given or ())


def pods():
    for manifest in MANIFESTS:
        spec = manifest.get("spec", {})
        spec = spec.get("jobTemplate", {}).get("spec", spec)
        yield from spec.get("template", {}).get("spec", {}).get("containers", ())


def commands():
    """The commands of every container, each with an argument where a person gives one."""
    for name, service in COMPOSE["services"].items():
        if service["image"] == "pincite":
            command = words(service.get("entrypoint")) + words(service.get("command"))
            yield pytest.param(command + ["/reports"] * (name == "index"), id=f"compose-{name}")
    for pod in pods():
        yield pytest.param(pod["command"], id=f"kubernetes-{pod['name']}")


def parsed(command, arguments):
    """Whether the command line takes these arguments; nothing is run."""
    name, *rest = arguments
    with click.Context(command, info_name="pincite") as above:
        command.get_command(above, name).make_context(name, rest, parent=above)


@pytest.mark.parametrize("command", list(commands()))
def test_commands_of_containers_are_taken(command, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PINCITE_CORPUS", COMPOSE["x-pincite"]["environment"]["PINCITE_CORPUS"])
    if not command:
        return  # that of the image
    program, *rest = command
    if program == "pincite":
        parsed(get_command(app), rest)
    elif program == "dask":
        certificate = tmp_path / "some.pem"
        certificate.touch()
        DASK[rest[0]].make_context(
            rest[0],
            [re.sub(r"^/certificates/.*", str(certificate), word) for word in rest[1:]],
        )
    else:
        assert program == "python" or (DEPLOY / program).is_file()


def test_the_script_that_serves_gives_arguments_that_are_taken():
    line = re.search(r"^exec pincite (.*)$", (DEPLOY / "start").read_text(), re.MULTILINE)[1]
    line = re.sub(r'\$\{PINCITE_PROXY:\+(.*?)\}(?= "\$@")', r"\1", line)
    arguments = [word for word in shlex.split(line) if word != "$@"]
    assert "--behind-proxy" in arguments
    parsed(get_command(app), [*arguments, "--corpus", "some"])


@pytest.mark.parametrize("reports", [True, False])
def test_the_image_reads_the_reports_that_are_mounted_and_serves_them(reports, tmp_path):
    told, program = tmp_path / "told", tmp_path / "pincite"
    program.write_text(f'#!/bin/sh\necho "$@" >> {told}\n')
    program.chmod(0o755)
    given = {
        "PATH": f"{tmp_path}:/usr/bin:/bin", "PINCITE_CORPUS": "c", "PINCITE_TOKENS": str(tmp_path / "tokens"),
        "PINCITE_REPORTS": str(tmp_path / "reports"),
    }  # fmt: skip
    if reports:
        (tmp_path / "reports").mkdir()
    subprocess.run(["sh", DEPLOY / "start"], check=True, env=given, cwd=tmp_path)
    lines = told.read_text().splitlines()
    first = [f"index {tmp_path / 'reports'} --corpus c"] if reports else []
    assert lines[:-2] == first and [line.split()[0] for line in lines[-2:]] == ["token", "serve"]


@pytest.mark.parametrize(
    "place",
    [COMPOSE["x-pincite"]["environment"], MANIFESTS[0]["data"]],
    ids=["compose", "kubernetes"],
)
def test_the_corpus_is_addressed_without_a_password(place, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    address = address_of(corpus_folder(place["PINCITE_CORPUS"]))
    assert address.corpus == "reports"
    assert address.sources == "s3://sources"


def test_every_secret_is_named_in_the_example():
    asked = set(re.findall(r"\$\{(\w+):\?", (DEPLOY / "compose.yaml").read_text()))
    given = set(
        re.findall(r"^(\w+)=$", (DEPLOY / "environment.example").read_text(), re.MULTILINE)
    )
    assert asked == given


def test_what_is_mounted_is_there():
    kept = set(COMPOSE["volumes"])
    for service in COMPOSE["services"].values():
        for mount in service.get("volumes", ()):
            source = mount.split(":")[0]
            assert source in kept or "${" in mount or (DEPLOY / source).exists(), mount


@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl")
def test_certificates_are_made_once_and_of_one_authority(tmp_path):
    for _ in range(2):
        subprocess.run(["sh", DEPLOY / "certificates", tmp_path], check=True, capture_output=True)
        made = (tmp_path / "host.pem").read_bytes()
    verified = subprocess.run(
        ["openssl", "verify", "-CAfile", tmp_path / "ca.pem", tmp_path / "host.pem"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert verified.stdout.endswith("OK\n")
    assert made == (tmp_path / "host.pem").read_bytes()
    assert not (tmp_path / "ca.key").exists()
