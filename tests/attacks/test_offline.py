"""Under --offline nothing is sent: not by Python, nor by libraries that open sockets by themselves, nor by child processes."""

import json
import os
import socket
import subprocess
import sys
import threading

import pytest

from pincite.database.sources.connection import open_source
from pincite.errors import UsageError

OPENED = """
import json, os, sys
from pincite.processes import offline
offline.forbid()
from pincite.database.sources.connection import open_source
from pincite.errors import PinciteError
for url, environment in json.load(sys.stdin):
    os.environ.update(environment)
    try:
        source = open_source(url)
    except PinciteError as error:
        print(type(error).__name__, error)
    else:
        print("rows:", source.run("SELECT count(*) FROM part").rows)
    for name in environment:
        del os.environ[name]
"""
REMOTE = [
    ("postgresql://reader@127.0.0.1:{port}/shop", {}),
    ("postgresql://reader@localhost:{port}/shop", {}),
    ("postgresql://reader@/shop?host=127.0.0.1&port={port}", {}),
    ("postgresql://reader@/shop?host=/tmp,127.0.0.1&port={port},{port}", {}),
    ("postgresql://reader@/shop?host=/tmp&hostaddr=127.0.0.1&port={port}", {}),
    ("postgresql://reader@/shop?conninfo=hostaddr%3D127.0.0.1&port={port}", {}),
    ("postgresql://reader@/shop?host=,127.0.0.1&port={port},{port}", {}),
    ("postgresql://reader@%31%32%37.0.0.1:{port}/shop", {}),
    ("postgresql://reader@/shop?service=shop", {"PGSERVICEFILE": "{file}"}),
    ("postgresql://reader@/shop", {"PGSERVICE": "shop", "PGSERVICEFILE": "{file}"}),
    ("postgresql:///", {"PGSERVICE": "far", "PGSERVICEFILE": "{file}"}),
    ("postgresql://reader@/shop", {"PGHOST": "127.0.0.1", "PGPORT": "{port}"}),
    ("postgresql://reader@/shop?host=/tmp", {"PGHOSTADDR": "127.0.0.1", "PGPORT": "{port}"}),
    ("postgresql://reader@no.such.host.invalid/shop", {}),
    ("postgresql://reader@/shop?host=no.such.host.invalid", {}),
]


@pytest.fixture
def listener():
    """A port of this machine, and the connections that were made to it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        seen = []

        def accept():
            while True:
                try:
                    connection, address = server.accept()
                except OSError:
                    return
                seen.append(address)
                connection.close()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1], seen
        server.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def run(program, *words, given="", **environment):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    done = subprocess.run(
        [sys.executable, "-c", program, *words], input=given, capture_output=True, text=True,
        env={**kept, **environment}, timeout=120,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def test_no_server_is_reached_over_a_network(listener, tmp_path):
    pytest.importorskip("psycopg")
    port, seen = listener
    file = tmp_path / "services.conf"
    far = f"[far]\nldap://127.0.0.1:{port}/dc=x?host?one?(cn=x)\nhost=127.0.0.1\nport={port}\n"
    file.write_text(f"[shop]\nhost=127.0.0.1\nport={port}\n{far}")
    cases = []
    for url, environment in REMOTE:
        given = {name: value.format(port=port, file=file) for name, value in environment.items()}
        cases.append((url.format(port=port), given))
    # what is a connection string elsewhere is only the name of a database here, in a socket of this machine
    cases.append(("postgresql:///", {"PGDATABASE": f"host=127.0.0.1 port={port}"}))
    *said, last = run(OPENED, given=json.dumps(cases)).splitlines()
    assert last.startswith("DatabaseUnreachable postgresql:///")
    for case, line in zip(REMOTE, said, strict=True):
        assert line.startswith("NetworkForbidden --offline is set") and "Unix socket" in line, case
    assert not seen


def test_hosts_and_ports_that_do_not_fit_are_said():
    pytest.importorskip("psycopg")
    with pytest.raises(UsageError, match="number of hosts and ports"):
        open_source("postgresql://reader@/shop?host=a,b&port=1")


def test_a_server_is_reached_over_a_unix_socket(postgres):
    url = postgres.create("CREATE TABLE part (id integer); INSERT INTO part VALUES (1)")
    cases = [(url, {}), (url.partition("?")[0], {"PGHOST": str(postgres.folder)})]
    assert run(OPENED, given=json.dumps(cases)) == "rows: ((1,),)\n" * 2


def test_without_offline_the_listener_is_reached(listener):
    """What the tests above rely on: an attempt would have been seen."""
    port, seen = listener
    case = (f"postgresql://reader@127.0.0.1:{port}/shop", {})
    assert "cannot be reached" in run(
        OPENED.replace("offline.forbid()", ""), given=json.dumps([case])
    )
    assert seen


@pytest.mark.parametrize(
    "module",
    [
        "pincite.ingest.parser_processes",
        "pincite.serve.processes.work",
        "pincite.workbench.library",
    ],
)
def test_processes_that_are_started_inherit_it(listener, module):
    port, seen = listener
    program = (
        f"import {module}, socket\n"
        "from pincite.errors import NetworkForbidden\n"
        f"try: socket.create_connection(('127.0.0.1', {port}))\n"
        "except NetworkForbidden: print('refused')"
    )
    assert run(program, PINCITE_OFFLINE="1") == "refused\n"
    assert not seen


def test_duckdb_has_no_network_of_its_own(listener, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    port, seen = listener
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("CREATE TABLE part (id integer)")
    program = (
        "import sys\n"
        "from pincite.database.sources.connection import open_source\n"
        "source = open_source(sys.argv[1])\n"
        "with source.engine.connect() as connection:\n"
        f"    for text in (\"SELECT * FROM read_csv('http://127.0.0.1:{port}/x')\", 'INSTALL httpfs', 'LOAD httpfs',\n"
        f"        \"ATTACH 'http://127.0.0.1:{port}/x.duckdb' AS x\", \"SET custom_extension_repository = 'http://127.0.0.1'\"):\n"
        "        try: connection.exec_driver_sql(text)\n"
        "        except Exception: print('refused')\n"
    )
    assert run(program, str(tmp_path / "shop.duckdb"), PINCITE_OFFLINE="1") == "refused\n" * 5
    assert not seen


def test_a_parquet_file_is_read_by_its_own_name(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    (tmp_path / "given").mkdir()
    duckdb.sql(f"COPY (SELECT 'canary' AS word) TO '{tmp_path}/given/a.parquet'")
    duckdb.sql(f"COPY (SELECT 'mine' AS word) TO '{tmp_path}/given/mine.parquet'")
    for name in ("[am].parquet", "*.parquet", "?.parquet"):
        (tmp_path / "given" / "mine.parquet").rename(tmp_path / "given" / name)
        with open_source(tmp_path / "given" / name, name="given") as source:
            (relation,) = source.database.relations
            assert source.run(f'SELECT word FROM "{relation.name}"').rows == (("mine",),)
        (tmp_path / "given" / name).rename(tmp_path / "given" / "mine.parquet")
