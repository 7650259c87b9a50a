"""What an exception of a request to a model means: try again, rephrase, send less, or give up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pincite.errors import PinciteError
from pincite.lexicon import pattern, pattern_table
from pincite.models.endpoints.address import EndpointAddress
from pincite.models.endpoints.silence import Silent

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
    match error:
        case Silent():
            return Failure("silent", _silence(error), billed=True)
        case exceptions.ModelHTTPError():
            return _status(error, address)
        case TimeoutError() | exceptions.ModelTimeoutError() | exceptions.ModelRequestTimeout():
            sent = getattr(error, "phase", None) not in ("pool", "connect")
            return Failure("again", "no reply in time", billed=sent)
        case exceptions.ModelConnectionError():
            sent = error.phase not in ("pool", "connect")
            return Failure(
                "again",
                f"the connection {'broke' if sent else 'failed'} ({_short(error.message, address)})",
                billed=sent,
            )
        case exceptions.ModelAPIError() | exceptions.UnexpectedModelBehavior():
            return Failure(
                "again",
                f"not a reply of the chat protocol ({_short(error.message, address)})",
                billed=True,
            )
        case exceptions.UserError():
            return Failure("never", _short(error.message, address))
    return Failure(
        "again",
        f"not a reply of the chat protocol ({type(error).__name__}: {_short(str(error), address)})",
        billed=True,
    )


def _silence(error: Silent) -> str:
    what = "stopped in the middle of its reply and then said" if error.begun else "said"
    return f"{what} nothing for {error.seconds:.0f} s"


def _causes(error: BaseException) -> Iterator[BaseException]:
    yield error
    if isinstance(error, BaseExceptionGroup):
        for exception in error.exceptions:
            yield from _causes(exception)
    if deeper := error.__cause__ or error.__context__:
        yield from _causes(deeper)


def _status(error: ModelHTTPError, address: EndpointAddress) -> Failure:
    """What a reply with a status that is no success means."""
    body = _said(error.body)
    why = f"status {error.status_code}: {_short(body, address)}"
    return (
        _too_much(error, body, why)
        or _turned_down(error, body, why)
        or _passing(error, why)
        or _final(error, why, address)
    )


def _too_much(error: ModelHTTPError, body: str, why: str) -> Failure | None:
    """A prompt or a reply that the endpoint finds too long."""
    from pydantic_ai.exceptions import ModelContextWindowExceededError

    refused = error.status_code in _REFUSALS
    if refused and pattern("models", "no room").search(body):
        return Failure("otherwise", why, feature="room")
    if refused and pattern("models", "reply too long").search(body):
        return Failure("otherwise", why, feature="cap")
    # "request too large" also comes with 429, as a request above the tokens per minute never fits in
    if (
        error.status_code == 413
        or isinstance(error, ModelContextWindowExceededError)
        or "request too large" in body.lower()
    ):
        return Failure("less", why, window=_window(body))
    return (
        Failure("less", why, window=_window(body))
        if refused and pattern("models", "prompt too long").search(body)
        else None
    )


def _window(body: str) -> int | None:
    """The tokens that the model reads, as a refusal says."""
    said = pattern("models", "window").search(body)
    return int((said["before"] or said["after"]).replace(",", "")) if said else None


def _turned_down(error: ModelHTTPError, body: str, why: str) -> Failure | None:
    """A feature that the endpoint does not have; a refusal that names nothing may be of the way a form is asked for."""
    from pydantic_ai.exceptions import ModelNotFoundError

    for feature, named in pattern_table("models", "features"):
        # that a model's log-probabilities may not be asked for is also said as what is forbidden
        refused = error.status_code in _REFUSALS or (feature, error.status_code) == (
            "logprobs",
            403,
        )
        if refused and named.search(body):
            return Failure("otherwise", why, feature=feature)
    unexplained = error.status_code in (400, 422) and not isinstance(error, ModelNotFoundError)
    failed_on_form = error.status_code == 500 and pattern("models", "form failed").search(body)
    return (
        Failure("otherwise", why, feature="structure") if unexplained or failed_on_form else None
    )


def _passing(error: ModelHTTPError, why: str) -> Failure | None:
    """A failure that may be over with the next try."""
    from pydantic_ai.exceptions import ModelQuotaExceededError

    if isinstance(error, ModelQuotaExceededError):
        return Failure("never", f"{why}. The account's own quota or credit is used up")
    if error.status_code not in _AWAY and error.status_code < 500:
        return None
    return Failure(
        "again",
        why,
        billed=error.status_code in _LOST or error.in_stream,
        wait=error.retry_after,
        inside=error.status_code == 500 and error.retry_after is None,
    )


def _final(error: ModelHTTPError, why: str, address: EndpointAddress) -> Failure:
    """A failure that no further try mends."""
    from pydantic_ai.exceptions import ModelAuthenticationError, ModelNotFoundError

    advice = ""
    if isinstance(error, ModelAuthenticationError):
        advice = f". Put a key that it takes into the variable {address.key}"
    elif isinstance(error, ModelNotFoundError):
        advice = ". Check the model's name and the base URL, which mostly ends in /v1"
    return Failure("never", why + advice)


def _said(body: object) -> str:
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, default=str)


def _short(text: str, address: EndpointAddress) -> str:
    return " ".join(address.hidden(text).split())[:300]
