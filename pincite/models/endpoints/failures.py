"""What an exception of a request to a model means: try again, say it otherwise, send less, or give up."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pincite.errors import PinciteError

# what an endpoint names when it turns down a feature, and the feature; asked in this order
_FEATURES = (
    ("response_format", re.compile(r"response_format|json_schema|structured output|guided|grammar|schema", re.I)),
    ("max_tokens", re.compile(r"max_tokens", re.I)),
    ("temperature", re.compile(r"temperature", re.I)),
)
_OVERFLOW = re.compile(
    r"context[ _]?(length|window|size)|reduce the length|too many (input )?tokens|prompt is too long|input is too long"
    r"|input token count|tokens? exceed|exceeds? the (maximum|max|limit|available)|maximum (model|context|prompt|input) length"
    r"|longer than the (maximum|model)|(prompt|input|request) (is )?too (large|long)|too large for model",
    re.I,
)
_LARGE = re.compile(r"request too large", re.I)
_AWAY = {408, 409, 425, 429}
"""Statuses below 500 that pass."""
_LOST = {408, 499, 504, 520, 522, 524}
"""Statuses of something in between that lost the endpoint's reply: it may have been made, and billed."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What to do about a failed request, and the `seconds` that it took.

    `todo` is "again" (after `wait` seconds, if that was said), "otherwise" (without `feature`), "less" (the context
    overflows) or "never". It is `billed` when the endpoint may have made a reply all the same.
    """

    todo: Literal["again", "otherwise", "less", "never"]
    why: str
    billed: bool = False
    wait: float | None = None
    feature: str = ""
    seconds: float = 0.0


def failure_of(error: Exception, key: str) -> Failure:
    """Read an exception of pydantic-ai's; `key` names the variable that holds the API key. Raises errors of our own on.

    Endpoints have been seen to repeat the key that they were sent: it stands in no failure's words.
    """
    from pydantic_ai import exceptions

    for cause in _causes(error):
        if isinstance(cause, PinciteError):
            raise cause
    match error:
        case exceptions.ModelHTTPError():
            return _status(error, key)
        case TimeoutError() | exceptions.ModelTimeoutError() | exceptions.ModelRequestTimeout():
            sent = getattr(error, "phase", None) not in ("pool", "connect")
            return Failure("again", "no reply in time", billed=sent)
        case exceptions.ModelConnectionError():
            sent = error.phase not in ("pool", "connect")
            return Failure(
                "again", f"the connection {'broke' if sent else 'failed'} ({_short(error.message, key)})", billed=sent
            )
        case exceptions.ModelAPIError() | exceptions.UnexpectedModelBehavior():
            return Failure("again", f"not a reply of the chat protocol ({_short(error.message, key)})", billed=True)
        case exceptions.UserError():
            return Failure("never", _short(error.message, key))
    return Failure(
        "again", f"not a reply of the chat protocol ({type(error).__name__}: {_short(str(error), key)})", billed=True
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    yield error
    if isinstance(error, BaseExceptionGroup):
        for exception in error.exceptions:
            yield from _causes(exception)
    if deeper := error.__cause__ or error.__context__:
        yield from _causes(deeper)


def _status(error: object, key: str) -> Failure:
    from pydantic_ai import exceptions

    assert isinstance(error, exceptions.ModelHTTPError)
    status, body = error.status_code, _said(error.body)
    why = f"status {status}: {_short(body, key)}"
    if status == 413 or isinstance(error, exceptions.ModelContextWindowExceededError) or _LARGE.search(body):
        return Failure("less", why)  # also with 429, as a request above the tokens per minute never fits in
    if status in (400, 404, 422):
        if _OVERFLOW.search(body):
            return Failure("less", why)
        for feature, named in _FEATURES:
            if named.search(body):
                return Failure("otherwise", why, feature=feature)
    if isinstance(error, exceptions.ModelQuotaExceededError):
        return Failure("never", f"{why}. The account's own quota or credit is used up")
    if status in _AWAY or status >= 500:
        return Failure("again", why, billed=status in _LOST or error.in_stream, wait=error.retry_after)
    if isinstance(error, exceptions.ModelAuthenticationError):
        return Failure("never", f"{why}. Put a key that it takes into the variable {key}")
    if isinstance(error, exceptions.ModelNotFoundError):
        return Failure("never", f"{why}. Check the model's name and the base URL, which mostly ends in /v1")
    return Failure("never", why)


def _said(body: object) -> str:
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, default=str)


def _short(text: str, key: str) -> str:
    secret = os.environ.get(key, "")
    return " ".join((text.replace(secret, "***") if len(secret) > 3 else text).split())[:300]
