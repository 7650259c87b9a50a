"""What an exception of a request to a model means: try again, rephrase, send less, or give up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pincite.errors import PinciteError
from pincite.models.endpoints.address import Address

if TYPE_CHECKING:
    from pydantic_ai.exceptions import ModelHTTPError

_TOO_LONG = re.compile(
    r"max_(completion_)?tokens\W.{0,80}(too (large|high|big)|less than or equal|valid range|at most|maximum allowed)"
    r"|supports at most [\d,]+ (completion|output) tokens",
    re.I | re.S,
)
"""What endpoints say when they allow no reply as long as the one asked for."""
# what an endpoint names when it turns down a feature, and the feature; asked in this order
_FEATURES = (
    (
        "structure",
        re.compile(r"response_format|json_schema|structured output|guided|grammar|schema|json_validate|tool", re.I),
    ),
    ("cap", _TOO_LONG),
    ("completion_cap", re.compile(r"max_tokens", re.I)),
    ("temperature", re.compile(r"temperature", re.I)),
)
_GRAMMAR = re.compile(r"grammar|json[ _]schema|guided", re.I)
"""What a server names that fails on a form itself, with a status that would else pass."""
_OVERFLOW = re.compile(
    r"context[ _]?(length|window|size)|reduce the length|too many (input )?tokens|prompt is too long|input is too long"
    r"|input token count|tokens? exceed|exceeds? the (maximum|max|limit|available)|maximum (model|context|prompt|input) length"
    r"|longer than the (maximum|model)|(prompt|input|request) (is )?too (large|long)|too large for model",
    re.I,
)
_LARGE = re.compile(r"request too large", re.I)
_AWAY = {408, 409, 425, 429}
"""Statuses below 500 that pass."""
_REFUSALS = {400, 404, 422}
"""Statuses of a request that the endpoint does not take as it is."""
_LOST = {408, 499, 504, 520, 522, 524}
"""Statuses of something in between that lost the endpoint's reply: it may have been made, and billed."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What to do about a failed request, and the `seconds` that it took.

    `todo` is "again" (after `wait` seconds, if that was said), "otherwise" (without `feature`, see `Dialect.after`), "less"
    (the context overflows) or "never". It is `billed` when the endpoint may have made a reply all the same.
    """

    todo: Literal["again", "otherwise", "less", "never"]
    why: str
    billed: bool = False
    wait: float | None = None
    feature: str = ""
    seconds: float = 0.0


def failure_of(error: Exception, address: Address) -> Failure:
    """Read an exception of pydantic-ai's from the endpoint at `address`, whose secrets stand in no failure's words.

    Raises errors of our own on.
    """
    from pydantic_ai import exceptions

    for cause in _causes(error):
        if isinstance(cause, PinciteError):
            raise cause
    match error:
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
            return Failure("again", f"not a reply of the chat protocol ({_short(error.message, address)})", billed=True)
        case exceptions.UserError():
            return Failure("never", _short(error.message, address))
    return Failure(
        "again",
        f"not a reply of the chat protocol ({type(error).__name__}: {_short(str(error), address)})",
        billed=True,
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    yield error
    if isinstance(error, BaseExceptionGroup):
        for exception in error.exceptions:
            yield from _causes(exception)
    if deeper := error.__cause__ or error.__context__:
        yield from _causes(deeper)


def _status(error: ModelHTTPError, address: Address) -> Failure:
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
    if refused and _TOO_LONG.search(body):
        return Failure("otherwise", why, feature="cap")
    # "request too large" also comes with 429, as a request above the tokens per minute never fits in
    if error.status_code == 413 or isinstance(error, ModelContextWindowExceededError) or _LARGE.search(body):
        return Failure("less", why)
    return Failure("less", why) if refused and _OVERFLOW.search(body) else None


def _turned_down(error: ModelHTTPError, body: str, why: str) -> Failure | None:
    """A feature that the endpoint does not have; a refusal that names nothing may be of the way a form is asked for."""
    from pydantic_ai.exceptions import ModelNotFoundError

    if error.status_code in _REFUSALS:
        for feature, named in _FEATURES:
            if named.search(body):
                return Failure("otherwise", why, feature=feature)
    unexplained = error.status_code in (400, 422) and not isinstance(error, ModelNotFoundError)
    failed_on_form = error.status_code == 500 and _GRAMMAR.search(body)
    return Failure("otherwise", why, feature="structure") if unexplained or failed_on_form else None


def _passing(error: ModelHTTPError, why: str) -> Failure | None:
    """A failure that may be over with the next try."""
    from pydantic_ai.exceptions import ModelQuotaExceededError

    if isinstance(error, ModelQuotaExceededError):
        return Failure("never", f"{why}. The account's own quota or credit is used up")
    if error.status_code not in _AWAY and error.status_code < 500:
        return None
    return Failure("again", why, billed=error.status_code in _LOST or error.in_stream, wait=error.retry_after)


def _final(error: ModelHTTPError, why: str, address: Address) -> Failure:
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


def _short(text: str, address: Address) -> str:
    return " ".join(address.hidden(text).split())[:300]
