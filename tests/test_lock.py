"""The lock files of a release: all that pyproject.toml asks for at exact versions with hashes, and no place to get it from."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OF_DEVELOPERS = {"dev", "bench", "docs"}


def plain(name):
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", name)[0]).casefold()


def extras():
    return set(re.search(r"^EXTRAS := (.*)$", (ROOT / "Makefile").read_text(), re.M)[1].split())


def locked(name):
    """By package the versions that a lock file pins, each with where it holds and its hashes."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        pin = re.fullmatch(
            r"([\w.-]+(?:\[[\w,.-]+\])?)==([\w.+!-]+)(?: ; (.+?))?((?: +--hash=sha256:[0-9a-f]{64})+) *",
            line,
        )
        assert pin, f"{name}: {line[:80]!r} is no exact version with hashes"
        found.setdefault(plain(pin[1]), []).append((pin[2], pin[3] or ""))
    return found


def test_every_extra_is_locked_or_for_developers():
    assert (
        extras() | OF_DEVELOPERS == set(PROJECT["optional-dependencies"])
        and not extras() & OF_DEVELOPERS
    )


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-all.lock"])
def test_a_lock_holds_all_that_is_asked_for_and_names_no_place(name):
    found = locked(name)
    asked = {plain(one) for one in PROJECT["dependencies"]}
    if name == "requirements-all.lock":
        asked |= {
            plain(one) for extra in extras() for one in PROJECT["optional-dependencies"][extra]
        }
    assert asked <= set(found), asked - set(found)
    for package, versions in found.items():
        places = [where for _, where in versions]
        assert len(set(places)) == len(places) and (len(places) == 1 or all(places)), (
            f"{package} is pinned twice"
        )
    text = (ROOT / name).read_text()
    assert (
        "://" not in text
        and "index-url" not in text
        and "find-links" not in text
        and " @ " not in text
    )
