"""A server over a copy of the example reports, answering in threads, asked without a socket; its life is run."""

from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.serve.app import create_app
from pincite.serve.corpora import served
from pincite.settings import Settings
from tests.copied import unasked

API = "/api/v1/corpora/reports"
QUESTION = "What was the income tax expense of Halvorsen Maritime in 2023?"
PAGE = {"Accept": "text/html"}


@contextmanager
def serving(folder, access=None, *, local=True, processes=0):
    """A client of a server over the corpus in `folder`."""
    application = create_app(
        served([Path(folder)], Settings()), access, local=local, processes=processes
    )
    with TestClient(
        application, base_url="http://127.0.0.1:8080", follow_redirects=False
    ) as client:
        yield client


@pytest.fixture(scope="module")
def corpus(example_corpus, tmp_path_factory):
    """A copy of the example corpus that the tests of a module may write beside."""
    return unasked(example_corpus, tmp_path_factory.mktemp("served") / "reports.corpus")


@pytest.fixture(scope="module")
def client(corpus):
    """A client of a server that asks for no token."""
    with serving(corpus) as made:
        yield made


def answer(client, question=QUESTION):
    """An answer over REST."""
    reply = client.post("/api/v1/corpora/reports/ask", json={"question": question})
    assert reply.status_code == 200, reply.text
    return reply.json()


def finished(client, job):
    """A job once it is over, by its events."""
    with client.stream("GET", f"/api/v1/corpora/reports/jobs/{job}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        for _ in events.iter_lines():
            pass
    return client.get(f"/api/v1/corpora/reports/jobs/{job}").json()
