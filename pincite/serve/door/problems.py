"""What went wrong, as `application/problem+json` (RFC 9457) for programs and as a page for people."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from starlette.exceptions import HTTPException

from pincite import errors
from pincite.errors import PinciteError, UsageError
from pincite.storage.disk import disk_error

T = TypeVar("T")
MEDIA = "application/problem+json"
_log = logging.getLogger("pincite.serve")
_STATUSES: tuple[tuple[type[PinciteError], int], ...] = (
    (errors.CorpusBusy, 409), (errors.Crashed, 500), (errors.GivenUp, 503), (errors.BudgetSpent, 503), (errors.ModelError, 503),
    (errors.UnsupportedSource, 415), (errors.SourceError, 422), (errors.CorpusError, 409), (errors.UsageError, 422),
)  # fmt: skip


class Problem(HTTPException):
    """A request that cannot be granted: its HTTP status, what is wrong and what to do, headers to send along."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, detail, dict(headers or {}))


def missing(what: str) -> Problem:
    """The problem of something that is not there, or not for this reader: both read alike."""
    return Problem(404, f"there is no {what}")


async def look_up(what: str, look: Callable[..., T], *given: Any) -> T:
    """What is looked up, by a thread. Problem 404 where UsageError says that it is not there."""
    try:
        return await asyncio.to_thread(look, *given)
    except UsageError as error:
        raise missing(what) from error


def problem_of(error: Exception, private: Mapping[str, str]) -> Problem:
    """Any failure as a problem. `private` are texts that no reader is to see, such as folders, with what stands for them."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, HTTPException):
        return Problem(
            error.status_code, _DETAILS.get(error.status_code, error.detail), error.headers
        )
    if disk := disk_error(error):
        _log.error("a request failed: %s", disk)  # needs no trace
        return _FULL if isinstance(disk, errors.DiskFull) else _DISK
    if isinstance(error, PinciteError):
        status = next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)
        detail = str(error)
        for text, instead in private.items():
            detail = detail.replace(text, instead)
        return Problem(status, detail, {"Retry-After": "5"} if error.retryable else None)
    _log.error("a request failed", exc_info=error)
    return Problem(500, "the server failed to answer this request; its log says what went wrong")


_FULL = Problem(
    507, "the server's disk is full: what was already stored is kept; try again when there is room"
)
_DISK = Problem(500, "the server cannot read or write its files; its log says what went wrong")
_DETAILS = {
    404: "there is nothing at this address; /openapi.json lists those of the REST interface",
    405: "this address does not accept this method; the Allow header lists those it accepts",
}


def problem_json(problem: Problem, request_id: str) -> dict[str, Any]:
    """A problem as JSON."""
    title = HTTPStatus(problem.status_code).phrase
    return {
        "type": "about:blank", "title": title, "status": problem.status_code, "detail": problem.detail, "request": request_id,
    }  # fmt: skip
