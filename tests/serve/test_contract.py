"""The interface held to its own description: whatever is sent, no server error and nothing that the description does not say."""

import random
import threading
import time

import pytest
import schemathesis  # before any thread of a server runs: Python 3.11 cannot parse in two threads at once
import uvicorn
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from pincite.serve.app import create_app
from pincite.serve.corpora import served
from pincite.settings import Settings

from .conftest import API, QUESTION

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def address(corpus):
    """A real server on a free port."""
    application = create_app(served([corpus], Settings()), processes=0)
    config = uvicorn.Config(
        application, port=0, log_level="error", access_log=False, timeout_graceful_shutdown=2
    )
    socket = config.bind_socket()
    server = uvicorn.Server(config)
    running = threading.Thread(target=server.run, args=([socket],))
    running.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    server.should_exit = True
    running.join()


def known(address):
    """Names that lead somewhere, by the parameter that takes them."""
    import httpx

    with httpx.Client(base_url=address + API) as client:
        told = client.post("/ask", json={"question": QUESTION}).json()
        spec = {
            "title": "Known",
            "rows": ["Halvorsen Maritime"],
            "columns": [{"name": "Revenue", "period": "2023"}],
        }
        job = client.post("/grids", json=spec).json()["id"]
        while client.get(f"/jobs/{job}").json()["state"] not in ("done", "failed"):
            time.sleep(0.1)
        keys = [one["key"] for one in client.get("/documents").json()["items"]]
    return {
        "corpus": ["reports"], "answer_id": [told["answer_id"]], "job": [job], "grid": ["known"], "key": keys[1:],
        "page": [1, 2, 3],
    }  # fmt: skip


def violations(address, examples):
    """How many requests were made, and what was wrong with the replies, once for each operation."""
    checks = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    names, choose, made, wrong = known(address), random.Random(1), 0, []
    for found in schemathesis.openapi.from_url(f"{address}/openapi.json").get_all_operations():
        operation = found.ok()

        @settings(max_examples=examples, database=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def one(case):
            nonlocal made
            for name in (
                case.path_parameters
            ):  # mostly names that are there, so that more is reached than "not there"
                if choose.random() < 0.9:
                    case.path_parameters[name] = choose.choice(names[name])
            made += 1
            case.validate_response(case.call(base_url=address), checks=checks)

        try:
            one()
        except (FailureGroup, AssertionError) as error:
            wrong.append(f"{operation.label}: {error}")
    return made, wrong


def test_a_sample(address):
    made, wrong = violations(address, 1)
    assert not wrong and made >= 25, "\n".join(wrong)


@pytest.mark.stress
def test_two_thousand(address):
    made, wrong = violations(address, 80)
    assert not wrong and made >= 2000, (made, "\n".join(wrong))
