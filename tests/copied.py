"""Copies of a corpus for tests to change."""

import shutil
from pathlib import Path


def unasked(corpus, folder):
    """A copy of a corpus without the answers that other tests have asked for."""
    return Path(shutil.copytree(corpus, folder, ignore=shutil.ignore_patterns("answers.sqlite*")))
