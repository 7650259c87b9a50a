"""Every target with its seeds and some mutants: what fuzzing for longer starts from works."""

from functools import partial
from itertools import count, islice

import pytest

from pincite.errors import PinciteError
from tests.fuzz.registry import targets

pytestmark = pytest.mark.servers

MUTANTS, LARGEST = 6, 30_000
"""How many mutants, and the most bytes of one that is larger than the seeds."""
TARGETS = targets()


@pytest.mark.parametrize("name", list(TARGETS))
def test_seeds_and_mutants_are_read_or_refused(name):
    target = TARGETS[name]
    most = max(LARGEST, *map(len, target.seeds()))
    small = (
        data
        for data in map(partial(target.input, 0), count(len(target.seeds())))
        if len(data) <= most
    )
    for data in (*target.seeds(), *islice(small, MUTANTS)):
        try:
            target.run(data)
        except PinciteError:
            pass


def test_seeds_are_valid():
    read = ("document", "tables", "LockedSource of PdfiumError in pypdfium2")
    for name in [
        one
        for one in TARGETS
        if one.startswith("table-") or one in ("pdf", "docx", "xls", "outlook", "epub", "odt")
    ]:
        told = {TARGETS[name].run(data) for data in TARGETS[name].seeds()}
        assert told & set(read), (name, told)
