"""Doors by which bytes or names could leave under --offline, tried one by one with somebody listening behind each."""

# ruff: noqa: E501  (documents and statements stand on a line each)

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from tests.forked import run

DOORS_TRIED = """
import json, sys
from pincite.processes import offline
from pincite.errors import NetworkForbidden
port, doors = int(sys.argv[1]), json.loads(sys.argv[2])
for before, _ in doors.values():
    exec(before)
offline.forbid()
told = {}
for name, (_, door) in doors.items():
    try:
        exec(door)
    except NetworkForbidden:
        told[name] = "refused"
    except Exception as error:
        told[name] = repr(error)
    else:
        told[name] = "left"
print(json.dumps(told))
"""
OPENED = """
import json, sys
from pincite.processes import offline
offline.forbid()
from pincite.database.sources.connection import open_source
from pincite.errors import PinciteError
told = {}
for name, address in json.loads(sys.argv[1]).items():
    try:
        open_source(address)
    except PinciteError as error:
        told[name] = "refused"
    else:
        told[name] = "opened"
print(json.dumps(told))
"""


def child(program, *words):
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)], capture_output=True, text=True, env=environment(),
        timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def heard():
    """A port of this machine that takes TCP and UDP, and what came to it."""
    came = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(("127.0.0.1", port))
        datagrams.settimeout(0.2)
        ended = threading.Event()

        def accept():
            while not ended.is_set():
                try:
                    connection, address = server.accept()
                except OSError:
                    return
                came.append(address)
                connection.close()

        def receive():
            while not ended.is_set():
                try:
                    came.append(datagrams.recvfrom(100))
                except OSError:
                    continue

        threads = [threading.Thread(target=work, daemon=True) for work in (accept, receive)]
        for thread in threads:
            thread.start()
        yield port, came
        ended.set()
        server.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(5)
        datagrams.close()


@pytest.fixture(autouse=True)
def silence(request):
    """Nothing has come when a test ends."""
    yield
    if "heard" in request.fixturenames:
        came = request.getfixturevalue("heard")[1]
        told = list(came)
        came.clear()
        assert told == []


def environment(**more):
    return {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("PG", "PINCITE", "OPENAI")) or k == "PINCITE_MODELS"
    } | more


def pincite(*words, cwd, **more):
    done = run("--offline", *words, cwd=cwd, env=environment(**more))
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_the_listener_hears(heard):
    """Without --offline the same doors are open: the listener hears TCP and UDP, so that its silence says something."""
    port, came = heard
    with (
        socket.create_connection(("127.0.0.1", port)),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sent,
    ):
        sent.sendto(b"x", ("127.0.0.1", port))
        for _ in range(50):
            if len(came) == 2:
                break
            threading.Event().wait(0.1)
    assert len(came) == 2
    came.clear()


DOORS = {
    "a name is resolved by gethostbyname": (
        "",
        "import socket; socket.gethostbyname('secret.example.com')",
    ),
    "a name is resolved by gethostbyname_ex": (
        "",
        "import socket; socket.gethostbyname_ex('secret.example.com')",
    ),
    "an address is resolved by gethostbyaddr": (
        "",
        "import socket; socket.gethostbyaddr('192.0.2.1')",
    ),
    "an address is resolved by getnameinfo": (
        "",
        "import socket; socket.getnameinfo(('192.0.2.1', 53), 0)",
    ),
    "a name is resolved by getfqdn": ("", "import socket; socket.getfqdn('192.0.2.1')"),
    "a datagram of a socket that was open before": (
        "import socket; old = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "old.sendto(b'x', ('127.0.0.1', port))",
    ),
    "a message of a socket that was open before": (
        "import socket; old = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "old.sendmsg([b'x'], [], 0, ('127.0.0.1', port))",
    ),
    "a socket of the module below": (
        "",
        "import _socket; _socket.socket(2, 1).connect(('127.0.0.1', port))",
    ),
    "an event loop made before": (
        "import asyncio; loop = asyncio.new_event_loop()",
        "loop.run_until_complete(asyncio.open_connection('127.0.0.1', port))",
    ),
    "a pair of sockets that connects": (
        "",
        "import socket; socket.create_connection(('127.0.0.1', port))",
    ),
}


@pytest.fixture(scope="module")
def tried(heard):
    """What came of every door, tried in one process."""
    return child(DOORS_TRIED, heard[0], json.dumps(DOORS))


@pytest.mark.parametrize("name", DOORS)
def test_a_door_of_python(name, tried, heard):
    """Code of a library resolves a name or sends by a call other than connect; it is refused before anything leaves."""
    assert tried[name] == "refused"


REMOTE = "http://127.0.0.1:{port}/x"
PAGE = """<!DOCTYPE html SYSTEM "{u}.dtd"><html><head><base href="{u}"><link rel=stylesheet href="{u}.css">
<meta http-equiv=refresh content="0;url={u}"><script src="{u}.js"></script><style>@import url({u}); </style></head>
<body background="{u}"><p>Revenue of Alpha was 12.5 million euros in 2023.</p><img src="{u}.png" srcset="{u} 2x">
<iframe src="{u}"></iframe><object data="{u}"></object><embed src="{u}"><video poster="{u}" src="{u}"></video>
<svg><image href="{u}.svg"/><use href="{u}#a"/></svg></body></html>"""
ENTITY = '<?xml version="1.0"?><!DOCTYPE r SYSTEM "{u}.dtd" [<!ENTITY % p SYSTEM "{u}"> %p; <!ENTITY e SYSTEM "{u}">]>'
MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def word(path, u, entity=""):
    """A .docx whose relations all point outside."""
    kinds = (
        "attachedTemplate image oleObject hyperlink externalLinkPath frame settings styles".split()
    )
    outside = "".join(
        f'<Relationship Id="r{at}" Type="{R}/{kind}" Target="{u}" TargetMode="External"/>'
        for at, kind in enumerate(kinds)
    )
    relations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
            f'PartName="/word/document.xml" ContentType="{MAIN}"/></Types>',
        )
        made.writestr(
            "_rels/.rels",
            relations.format(f'<Relationship Id="a" Type="{R}/officeDocument" Target="word/document.xml"/>'),
        )  # fmt: skip
        made.writestr("word/_rels/document.xml.rels", relations.format(outside))
        made.writestr(
            "word/document.xml",
            f"{entity}<w:document {W}><w:body><w:p><w:r><w:t>Revenue of Beta was 7 million euros.</w:t></w:r></w:p></w:body></w:document>",
        )


@pytest.fixture(scope="module")
def calling(heard, tmp_path_factory):
    """A folder of documents that all refer to the listener."""
    u = REMOTE.format(port=heard[0])
    folder = tmp_path_factory.mktemp("calling")
    (folder / "page.html").write_text(PAGE.format(u=u))
    (folder / "page.xhtml").write_text(
        ENTITY.format(u=u)
        + f'<html xmlns="http://www.w3.org/1999/xhtml" xmlns:xi="http://www.w3.org/2001/XInclude"><body><p>&e; Costs were 3 euros.</p><xi:include href="{u}"/></body></html>'
    )
    word(folder / "word.docx", u)
    word(folder / "entity.docx", u, ENTITY.format(u=u))
    (folder / "flat.fodt").write_text(
        ENTITY.format(u=u)
        + '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0">'
        f'<office:body><office:text><text:p>Costs were 4 euros.</text:p><draw:image xlink:href="{u}"/></office:text></office:body></office:document>'
    )
    (folder / "mail.eml").write_text(
        f'From: a@example.com\nTo: b@example.com\nSubject: {u}\nMIME-Version: 1.0\nContent-Type: message/external-body; access-type=URL; URL="{u}"\n\n\n'
    )
    (folder / "form.rtf").write_text(
        r"{\rtf1\ansi {\*\template "
        + u
        + r"}{\field{\*\fldinst INCLUDEPICTURE "
        + f'"{u}"'
        + r" }{\fldrslt x}} Costs were 5 euros.\par}"
    )
    (folder / "picture.png").write_text(f"{u}.png\n")
    (folder / "scan.tif").write_text(f"{u}.tif\n")
    (folder / "docling.json").write_text(
        json.dumps(
            {
                "schema_name": "DoclingDocument", "version": "1.0.0", "name": "x", "origin": {"mimetype": "application/pdf", "binary_hash": 1, "filename": "x.pdf", "uri": u},
                "furniture": {"self_ref": "#/furniture", "children": []}, "body": {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}, {"$ref": u}]},
                "texts": [{"self_ref": "#/texts/0", "parent": {"$ref": u}, "label": "text", "orig": "Costs", "text": "Costs were 6 euros.", "prov": []}],
                "pictures": [{"self_ref": "#/pictures/0", "label": "picture", "prov": [], "image": {"mimetype": "image/png", "dpi": 72, "size": {"width": 1, "height": 1}, "uri": u}}],
                "tables": [], "pages": {},
            }
        )
    )  # fmt: skip
    return folder


def test_documents_that_refer_to_the_world(calling, heard, tmp_path):
    """Documents of every kind refer to pictures, templates, entities, styles at an address; indexing them asks for none."""
    done = pincite("index", calling, "--corpus", "c", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["parsed"] >= 5


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A corpus of one report."""
    folder = tmp_path_factory.mktemp("told")
    (folder / "report.txt").write_text("Revenue of Alpha was 12.5 million euros in 2023.")
    assert pincite("index", "report.txt", "--corpus", "c", cwd=folder).returncode == 0
    return folder / "c"


ASKS = {
    "a model by a variable": {"OPENAI_BASE_URL": "http://127.0.0.1:{port}/v1", "PINCITE_MODEL": "m", "OPENAI_API_KEY": "secret"},
    "a proxy": {"HTTP_PROXY": "http://127.0.0.1:{port}", "HTTPS_PROXY": "http://127.0.0.1:{port}", "ALL_PROXY": "http://127.0.0.1:{port}", "PINCITE_MODEL": "m", "OPENAI_API_KEY": "secret"},
    "telemetry": {"OTEL_EXportER_OTLP_ENDPOINT": "http://127.0.0.1:{port}", "LANGSMITH_ENDPOINT": "http://127.0.0.1:{port}", "LANGSMITH_TRACING": "true", "LANGSMITH_API_KEY": "k", "SENTRY_DSN": "http://a@127.0.0.1:{port}/1", "HF_ENDPOINT": "http://127.0.0.1:{port}"},
    "the variable emptied": {"PINCITE_OFFLINE": "", "OPENAI_BASE_URL": "http://127.0.0.1:{port}/v1", "PINCITE_MODEL": "m", "OPENAI_API_KEY": "secret"},
}  # fmt: skip


@pytest.mark.parametrize("settings", ASKS.values(), ids=ASKS)
def test_settings_that_name_somebody_to_tell(settings, corpus, heard, tmp_path):
    """The environment names a model, a proxy, a collector of traces; a question under --offline tells none of them."""
    given = {name: value.format(port=heard[0]) for name, value in settings.items()}
    asked = ("ask", "What was revenue of Alpha in 2023?", "--corpus", corpus)
    done = subprocess.run(  # begun by Python, as libraries may heed such variables when they are imported
        [sys.executable, "-m", "pincite", "--offline", *asked],
        capture_output=True, text=True, cwd=tmp_path, env=environment(**given), timeout=90,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr


def test_a_working_directory_that_names_a_model(corpus, heard, tmp_path):
    """A `pincite.toml` that lies in the working directory names a server for every role; a question tells it nothing."""
    (tmp_path / "pincite.toml").write_text(
        f'[models]\nbase_url = "http://127.0.0.1:{heard[0]}/v1"\nlarge = "m"\nsmall = "m"\njudge = "m"\n'
    )
    pincite("ask", "What was revenue of Alpha in 2023?", "--corpus", corpus, cwd=tmp_path)
    pincite("enrich", "--what", "summary", "--corpus", corpus, cwd=tmp_path)


ADDRESSES = {
    "a table at an address": "http://127.0.0.1:{port}/x.csv",
    "a driver of another name": "postgresql+psycopg2://a@127.0.0.1:{port}/x",
    "a driver written in Python": "postgresql+pg8000://a@127.0.0.1:{port}/x",
    "a database that is a connection string": "postgresql:///host=127.0.0.1%20port={port}%20dbname=x?host=/tmp",
    "a database that is a URL": "postgresql:///postgresql%3A%2F%2F127.0.0.1%3A{port}%2Fx?host=/tmp",
    "a database named in the parameters": "postgresql:///x?host=/tmp&dbname=host%3D127.0.0.1%20port%3D{port}",
    "a bucket": "s3://127.0.0.1:{port}/x.parquet", "a file of another server": "file://127.0.0.1:{port}/x.csv",
    "a SQLite file at an address": "sqlite:////127.0.0.1:{port}/x?vfs=http", "MySQL": "mysql://127.0.0.1:{port}/x",
}  # fmt: skip


@pytest.fixture(scope="module")
def opened(heard):
    """What came of every address, tried in one process."""
    return child(
        OPENED,
        json.dumps({name: address.format(port=heard[0]) for name, address in ADDRESSES.items()}),
    )


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_database_somewhere_else(name, opened, heard):
    """The address of a database hides a host among its parameters, in its name or in its driver; nobody is connected to."""
    assert opened[name] == "refused"


def test_a_duckdb_file_that_calls(heard, tmp_path):
    """A received DuckDB file has a view over an address and a macro that installs; reading the file asks for nothing."""
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("duckdb_engine")
    with duckdb.connect(str(tmp_path / "a.duckdb")) as made:
        made.execute(
            "CREATE TABLE part (id integer, name text); INSERT INTO part VALUES (1, 'bolt')"
        )
        for name, what in (("far", "x"), ("near", "'REMOTE'")):
            made.execute(
                f"CREATE MACRO {name}(x) AS (SELECT content FROM read_text({what}))".replace("REMOTE", f"/{heard[0]}"),
            )  # fmt: skip
    pincite("index", "--db", tmp_path / "a.duckdb", "--corpus", "c", cwd=tmp_path)
    statement = f"SELECT near(name), far('http://127.0.0.1:{heard[0]}/y') FROM part, 'http://127.0.0.1:{heard[0]}/x.csv'"
    pincite("sql", "--run", statement, "--corpus", "c", cwd=tmp_path)


def test_a_server_is_not_opened(corpus, tmp_path):
    """`serve` and the like need a socket of their own; under --offline they end with a message instead of listening."""
    done = pincite("serve", "--corpus", corpus, "--port", "0", cwd=tmp_path)
    assert done.returncode != 0 and "offline" in done.stderr


def test_a_child_that_reads_pictures(heard, tmp_path):
    """A picture is a list of addresses, which tesseract would fetch; neither it nor a program of its name tells anybody."""
    (tmp_path / "list.png").write_text(f"{REMOTE.format(port=heard[0])}\n")
    (tmp_path / "stdin").write_text(f"{REMOTE.format(port=heard[0])}\n")
    tools = tmp_path / "tesseract"
    tools.write_text(f"#!/bin/sh\nexec 3<>/dev/tcp/127.0.0.1/{heard[0]}\n")
    tools.chmod(0o755)
    shutil.copy(Path(__file__).parents[3] / "examples" / "questions.txt", tmp_path / "q.txt")
    pincite("index", "list.png", "q.txt", "--corpus", "c", cwd=tmp_path)


def test_an_assistant_that_gives_addresses(corpus, heard, tmp_path):
    """An assistant calls every tool of `mcp` with addresses for arguments; each answers or refuses, and none opens them."""
    u = REMOTE.format(port=heard[0])
    calls = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}, {"jsonrpc": "2.0", "method": "notifications/initialized"}]  # fmt: skip
    for at, (name, word) in enumerate(
        (n, w)
        for n in ("ask", "search", "read_page", "show")
        for w in ("question", "query", "document", "corpus")
    ):
        calls.append(
            {
                "jsonrpc": "2.0",
                "id": at + 1,
                "method": "tools/call",
                "params": {"name": name, "arguments": {word: u, "page": 1}},
            }
        )
    sent = "".join(json.dumps(call) + "\n" for call in calls)
    done = run("--offline", "mcp", "--corpus", corpus, cwd=tmp_path, env=environment(), given=sent)
    assert '"serverInfo"' in done.stdout, done.stderr
