"""What an exception of a request to a model means: try again, rephrase, send less, or give up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pincite.errors import PinciteError
from pincite.models.endpoints.address import EndpointAddress
from pincite.models.endpoints.silence import Silent
from pincite.text.lexicon import pattern, pattern_table

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelHTTPError

_AWAY = {408, 409, 425, 429}
"""Statuses below 500 that pass."""
_REFUSALS = {400, 404, 422}
"""Statuses of a request that the endpoint does not take as it is."""
_LOST = {408, 499, 504, 520, 522, 524}
"""Statuses of something in between that lost the endpoint's reply: it may have been made, and billed."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What to do about a failed request, and the `seconds` that it took.

    `todo` is "again" (after `wait` seconds, if that was said), "otherwise" (without `feature`, see `Dialect.after`), "less" (the
    context overflows; `window` is how many tokens the model reads, if that was said), "silent" (the endpoint may still work on
    it) or "never". It is `billed` when the endpoint may have made a reply all the same, and `inside` when the endpoint failed on
    its own (status 500): what passes, or what this request does to it each time.
    """

    todo: Literal["again", "otherwise", "less", "silent", "never"]
    why: str
    billed: bool = False
    wait: float | None = None
    feature: str = ""
    seconds: float = 0.0
    inside: bool = False
    window: int | None = None


def failure_of(error: Exception, address: EndpointAddress) -> Failure:
    """Read an exception of pydantic-ai's from the endpoint at `address`, whose secrets stand in no failure's words.

    Raises errors of our own on.
    """
    from pydantic_ai import exceptions

    for cause in _causes(error):
        if isinstance(cause, PinciteError):
            raise cause
    known = isinstance(error, exceptions.AgentRunError | exceptions.UserError)
    said = _short(getattr(error, "message", "") if known else str(error), address)
    sent = getattr(error, "phase", None) not in ("pool", "connect")
    match error:
        case Silent():
            begun = "stopped in the middle of its reply and then " if error.begun else ""
            return Failure("silent", f"{begun}said nothing for {error.seconds:.0f} s", billed=True)
        case exceptions.ModelHTTPError():
            return _status(error, address)
        case TimeoutError() | exceptions.ModelTimeoutError() | exceptions.ModelRequestTimeout():
            return Failure("again", "no reply in time", billed=sent)
        case exceptions.ModelConnectionError():
            how = "broke" if sent else "failed"
            return Failure("again", f"the connection {how} ({said})", billed=sent)
        case exceptions.UserError():
            return Failure("never", said)
    said = said if known else f"{type(error).__name__}: {said}"
    return Failure("again", f"not a reply of the chat protocol ({said})", billed=True)


def _causes(error: BaseException) -> Iterator[BaseException]:
    yield error
    if isinstance(error, BaseExceptionGroup):
        for exception in error.exceptions:
            yield from _causes(exception)
    if deeper := error.__cause__ or error.__context__:
        yield from _causes(deeper)


def _status(error: ModelHTTPError, address: EndpointAddress) -> Failure:
    """What a reply with a status that is no success means."""
    said = error.body
    body = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False, default=str)
    why = f"status {error.status_code}: {_short(body, address)}"
    return (
        _too_much(error, body, why) or _turned_down(error, body, why) or _rest(error, why, address)
    )


def _too_much(error: ModelHTTPError, body: str, why: str) -> Failure | None:
    """A prompt or a reply that the endpoint finds too long."""
    from pydantic_ai.exceptions import ModelContextWindowExceededError

    refused = error.status_code in _REFUSALS
    for feature, wording in (("room", "no room"), ("cap", "reply too long")):
        if refused and pattern("models", wording).search(body):
            return Failure("otherwise", why, feature=feature)
    if (
        error.status_code == 413
        or isinstance(error, ModelContextWindowExceededError)
        # also comes with 429, as a request above the tokens per minute never fits in
        or "request too large" in body.lower()
        or (refused and pattern("models", "prompt too long").search(body))
    ):
        window = pattern("models", "window").search(body)
        tokens = (window["before"] or window["after"]).replace(",", "") if window else None
        return Failure("less", why, window=int(tokens) if tokens else None)
    return None


def _turned_down(error: ModelHTTPError, body: str, why: str) -> Failure | None:
    """A feature that the endpoint does not have; a refusal that names nothing may be of the way a form is asked for."""
    from pydantic_ai.exceptions import ModelNotFoundError

    status = error.status_code
    for feature, named in pattern_table("models", "features"):
        # that a model's log-probabilities may not be asked for is also said as what is forbidden
        refused = status in _REFUSALS or (feature, status) == ("logprobs", 403)
        if refused and named.search(body):
            return Failure("otherwise", why, feature=feature)
    unexplained = status in (400, 422) and not isinstance(error, ModelNotFoundError)
    if unexplained or (status == 500 and pattern("models", "form failed").search(body)):
        return Failure("otherwise", why, feature="structure")
    return None


def _rest(error: ModelHTTPError, why: str, address: EndpointAddress) -> Failure:
    """A failure that may be over with the next try, or that no further try mends."""
    from pydantic_ai import exceptions

    status, wait = error.status_code, error.retry_after
    if isinstance(error, exceptions.ModelQuotaExceededError):
        return Failure("never", f"{why}. The account's own quota or credit is used up")
    if status in _AWAY or status >= 500:
        billed, inside = status in _LOST or error.in_stream, status == 500 and wait is None
        return Failure("again", why, billed=billed, wait=wait, inside=inside)
    advice = ""
    if isinstance(error, exceptions.ModelAuthenticationError):
        advice = f". Put a key that it takes into the variable {address.key}"
    elif isinstance(error, exceptions.ModelNotFoundError):
        advice = ". Check the model's name and the base URL, which mostly ends in /v1"
    return Failure("never", why + advice)


def _short(text: str, address: EndpointAddress) -> str:
    return " ".join(address.hidden(text).split())[:300]
