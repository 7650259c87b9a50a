"""Questions of a run that are answered at the same time, while each waits for a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from pincite import loop
from pincite.errors import BudgetSpent, ModelError

GIVEN_UP = 20
"""Questions in a row that no model could be reached for, after which a run fails."""


def at_once(
    ask: Callable[[Any], list[dict[str, Any]]], todo: Sequence[Any], concurrency: int
) -> Iterator[list[dict[str, Any]]]:
    """What `ask` makes of each, in the order in which they end. Raises the last failure once all others are done, or when
    nothing but failures comes.
    """
    failure: ModelError | None = None
    in_a_row = failures = 0
    with ThreadPoolExecutor(concurrency + 4) as pool:
        futures = [pool.submit(ask, item) for item in todo]
        try:
            for future in as_completed(futures):
                try:
                    made = future.result()
                except ModelError as error:
                    failure, in_a_row, failures = error, in_a_row + 1, failures + 1
                    if isinstance(error, BudgetSpent) or in_a_row >= GIVEN_UP:
                        raise
                else:
                    in_a_row = 0
                    yield made
        except BaseException:
            for future in futures:
                future.cancel()
            loop.cancel()
            raise
    if failure is not None:
        raise type(failure)(
            f"{failures} of {len(todo)} questions failed, the same command asks them again; the last: {failure}"
        )
