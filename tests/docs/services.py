"""What stands for the servers of others that pages name, each a real one on this machine that listens to it alone.

A PostgreSQL server is `db.example.org` with the database and the role `pincite`, and a login `ann`; a store that speaks S3 holds
the example reports as `s3://bucket/reports`. Certificates of an authority made for the page lie where the page says that they
are. Pages start schedulers and workers themselves.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.cluster.certificates import authority

HOST = "pincite@db.example.org/pincite?"


@dataclass
class Services:
    """What a page's text is replaced by, and the variables that its commands need."""

    replaced: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)


@contextmanager
def services(text: str, home: Path, reports: Path) -> Iterator[Services]:
    """The services that a page names, until it is followed to its end."""
    made = Services()
    with ExitStack() as stack:
        if HOST in text:
            folder = stack.enter_context(_database())
            made.replaced[HOST] = f"pincite@/pincite?host={folder}&"
        if "s3://bucket" in text:
            made.variables |= stack.enter_context(_bucket(reports))
        if "--tls-ca-file" in text:
            for name, file in authority(home / ".authority").items():
                shutil.copy(
                    file, home / {"ca": "ca.pem", "cert": "host.pem", "key": "host.key"}[name]
                )
        yield made


@contextmanager
def _database() -> Iterator[Path]:
    """The folder of the socket of a PostgreSQL server."""
    from tests.postgres import Server

    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        server = Server(Path(folder))
        with server.connect() as connection:
            connection.execute("CREATE ROLE pincite LOGIN SUPERUSER")
            connection.execute("CREATE ROLE ann LOGIN")
            connection.execute("CREATE DATABASE pincite OWNER pincite")
        try:
            yield Path(folder)
        finally:
            server.stop()


@contextmanager
def _bucket(reports: Path) -> Iterator[dict[str, str]]:
    """The variables by which a store is reached that holds the reports."""
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    keys = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    files = s3fs.S3FileSystem(
        skip_instance_cache=True, key=keys["AWS_ACCESS_KEY_ID"], secret=keys["AWS_SECRET_ACCESS_KEY"],
        client_kwargs={"endpoint_url": address},
    )  # fmt: skip
    files.makedirs("bucket", exist_ok=True)  # a store of moto lives as long as its process
    for report in sorted(reports.iterdir()):
        files.pipe(f"bucket/reports/{report.name}", report.read_bytes())
    try:
        yield keys | {"AWS_ENDPOINT_URL": address}
    finally:
        server.stop()
