"""Attacks run with `make test-servers`: they try many inputs, and many of them start processes."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """Mark all tests below this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.servers)
