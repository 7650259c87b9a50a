import json

import pytest
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    UnexpectedModelBehavior,
    UserError,
)

from pincite.errors import NetworkForbidden
from pincite.models.endpoints.address import EndpointAddress
from pincite.models.endpoints.failures import failure_of


def status(status, message, code=None, **more):
    return ModelHTTPError(status, "m", {"message": message, "code": code}, **more)


@pytest.mark.parametrize(
    "error, todo, billed",
    [
        (status(429, "slow down"), "again", False),
        (
            status(429, "Request too large for m on tokens per min: limit 30000, requested 40000"),
            "less",
            False,
        ),
        (status(500, "oops"), "again", False),
        (status(503, "overloaded"), "again", False),
        (status(408, "too slow"), "again", True),
        (status(504, "upstream timed out"), "again", True),
        (status(500, "oops", in_stream=True), "again", True),
        (status(413, "no"), "less", False),
        (status(400, "Requested tokens (5120) exceed context window of 4096"), "less", False),
        (
            status(400, "max_tokens: 4096 > this model's maximum context length of 2048 tokens"),
            "less",
            False,
        ),
        (status(422, "extra field: response_format"), "otherwise", False),
        (status(400, "temperature may only be 1"), "otherwise", False),
        (status(400, "bad picture"), "otherwise", False),
        (status(400, ""), "otherwise", False),
        (status(400, "Failed to generate JSON", code="json_validate_failed"), "otherwise", False),
        (status(500, "failed to parse grammar"), "otherwise", False),
        (
            status(
                400,
                "max_tokens is too large: 9999. This model supports at most 4096 completion tokens",
            ),
            "otherwise",
            False,
        ),
        (
            status(
                400,
                "`max_tokens` must be less than or equal to `8192`, less than the `context_window`",
            ),
            "otherwise",
            False,
        ),
        (status(401, "no key"), "never", False),
        (status(403, "not for you"), "never", False),
        (UserError("a setting is off"), "never", False),
        (ModelConnectionError("m", "refused", phase="connect"), "again", False),
        (ModelConnectionError("m", "no free connection", phase="pool"), "again", False),
        (ModelConnectionError("m", "reset", phase="read"), "again", True),
        (ModelConnectionError("m", "closed"), "again", True),
        (TimeoutError(), "again", True),
        (ModelAPIError("m", "not JSON"), "again", True),
        (UnexpectedModelBehavior("no choices"), "again", True),
        (IndexError("list index out of range"), "again", True),
    ],
)
def test_what_an_exception_means(error, todo, billed):
    failure = failure_of(error, EndpointAddress("", "SOME_KEY"))
    assert (failure.todo, failure.billed) == (todo, billed)


def test_the_wait_that_was_asked_for_is_read():
    assert (
        failure_of(
            status(429, "slow", headers={"Retry-After": "7"}), EndpointAddress("", "K")
        ).wait
        == 7
    )
    past = status(503, "slow", headers={"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"})
    assert failure_of(past, EndpointAddress("", "K")).wait == 0
    assert (
        failure_of(
            status(429, "slow", headers={"Retry-After": "soon"}), EndpointAddress("", "K")
        ).wait
        is None
    )


def test_a_failure_of_our_own_inside_is_raised_on():
    wrapped = ModelConnectionError("m", "failed", phase="connect")
    wrapped.__cause__ = ExceptionGroup(
        "several", [OSError("outer"), NetworkForbidden("no network under --offline")]
    )
    with pytest.raises(NetworkForbidden):
        failure_of(wrapped, EndpointAddress("", "K"))


def test_what_an_endpoint_says_is_quoted_in_short():
    why = failure_of(status(400, "no " * 1000), EndpointAddress("", "K")).why
    assert why.startswith("status 400: " + json.dumps({"message": "no no"})[:-2])
    assert len(why) < 330


@pytest.mark.parametrize("error", [400, 401, 404, 429, 500])
def test_a_key_that_an_endpoint_repeats_stands_in_no_message(monkeypatch, error):
    monkeypatch.setenv("SOME_KEY", "sk-very-secret")
    address = EndpointAddress("", "SOME_KEY")
    assert (
        "sk-very"
        not in failure_of(status(error, "x" * 280 + " got 'Bearer sk-very-secret'"), address).why
    )
    assert "sk-very" not in failure_of(UnexpectedModelBehavior("sk-very-secret"), address).why
