"""Who may be asked: other machines only by TLS with certificates on both sides."""

import os
import subprocess
import sys

import pytest

from pincite.errors import ClusterError, UsageError
from pincite.processes.cluster_address import parse_cluster
from pincite.workbench.library import index
from tests.cluster.certificates import authority
from tests.cluster.hosts import Hosts, held

pytestmark = pytest.mark.servers

VARIABLES = {
    "ca": "DASK_DISTRIBUTED__COMM__TLS__CA_FILE",
    "cert": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT",
    "key": "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY",
}


@pytest.mark.parametrize(
    "given, address",
    [
        ("local:8", "local:8"),
        ("dask://127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("dask://localhost", "tcp://localhost:8786"),
        ("tcp://[::1]:9000", "tcp://[::1]:9000"),
        ("tls://scheduler:8786", "tls://scheduler:8786"),
    ],
)
def test_addresses(given, address):
    assert str(parse_cluster(given)) == address


@pytest.mark.parametrize(
    "given, said",
    [
        ("dask://scheduler:8786", "only by TLS with certificates on both sides"),
        ("tcp://10.0.0.7:8786", "only by TLS"),
        ("tcp://127.0.0.1.example.org", "only by TLS"),
        ("local:0", "between 1 and 256"),
        ("local", "is no address of a cluster"),
        ("http://127.0.0.1:80", "is no address of a cluster"),
        ("tls://me:secret@host", "takes no user and no password"),
        ("tls://host:port", "is written local:WORKERS"),
    ],
)
def test_addresses_that_are_refused(given, said):
    with pytest.raises(UsageError, match=said) as refused:
        parse_cluster(given)
    assert "secret" not in str(refused.value)


def test_without_certificates_a_scheduler_is_refused_with_the_names_of_the_settings(
    tmp_path, report
):
    pytest.importorskip("distributed")
    with pytest.raises(UsageError) as refused:
        index(report, tmp_path / "corpus", on="tls://127.0.0.1:1")
    assert all(name in str(refused.value) for name in VARIABLES.values())


def test_offline_forbids_a_cluster(tmp_path, report):
    words = [
        sys.executable,
        "-m",
        "pincite",
        "--offline",
        "index",
        report,
        "--corpus",
        tmp_path / "corpus",
        "--on",
        "local:2",
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    assert (done.returncode, "--offline forbids" in done.stderr) == (1, True)


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "report.txt"
    path.write_text("Output was 5 tonnes in 2023.")
    return path


def test_both_sides_must_have_certificates_of_the_same_authority(tmp_path, report, monkeypatch):
    pytest.importorskip("distributed")
    ours, theirs = (authority(tmp_path / name) for name in ("ours", "theirs"))
    hosts = Hosts(
        tmp_path,
        tls=("--tls-ca-file", ours["ca"], "--tls-cert", ours["cert"], "--tls-key", ours["key"]),
    )
    try:
        hosts.start(1)
        known(monkeypatch, theirs)
        monkeypatch.setattr("pincite.processes.dask_cluster.ANSWER_S", 3)
        with pytest.raises(ClusterError, match="come from the same authority"):
            index(report, tmp_path / "corpus", on=hosts.address)
        known(monkeypatch, ours)
        assert index(report, tmp_path / "corpus", on=hosts.address).parsed == 1
    finally:
        hosts.stop()
    assert held(tmp_path / "corpus")[0] == ["report.txt"]


def known(monkeypatch, files):
    """Set what a client needs, as the environment of a new process would."""
    import dask

    for name, variable in VARIABLES.items():
        monkeypatch.setenv(variable, str(files[name]))
    dask.config.refresh(env=os.environ)
