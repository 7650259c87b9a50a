"""Rows of answers, grids and runs as a data frame of pandas, which is no part of the default install."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pincite.errors import PinciteError


def data_frame(rows: Iterable[Mapping[str, Any]], columns: Sequence[str], index: str = "") -> Any:
    """A `pandas.DataFrame` of these columns, one of them as its index where named.

    Raises PinciteError with the line that installs pandas where it is missing.
    """
    try:
        import pandas
    except ImportError as error:
        raise PinciteError(
            f'a data frame needs pandas, which is not installed ({error}): `pip install "pincite[frames]"`; without it, '
            "to_dict() gives the same rows"
        ) from error
    made = pandas.DataFrame(list(rows), columns=list(columns))
    return made.set_index(index) if index else made
