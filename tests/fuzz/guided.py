"""One target fuzzed for a time by atheris, which follows the lines that an input reaches.

    python -m tests.fuzz.guided NAME SECONDS FOLDER

An input that crashes, takes over 10 s or swells memory over 1.5 GB ends the run with a status other than 0; it is in FOLDER.
"""

from __future__ import annotations

import pkgutil
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random

import atheris

from pincite.errors import PinciteError

FOLLOWED = (
    "pincite.ingest",
    "pincite.database",
    "pincite.workbench.transfer",
    "pincite.workbench.bundle",
    "pincite.settings",
)
"""The modules whose lines guide the search."""


def main(name: str, seconds: str, folder: Path) -> None:
    """Fuzz a target, beginning with its seeds."""
    with atheris.instrument_imports(include=list(FOLLOWED)):
        for package in (
            "pincite.ingest",
            "pincite.database",
        ):  # most are imported only when a file needs them
            for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
                import_module(module.name)
        from tests.fuzz.registry import targets
    target = targets()[name]
    seeds = folder / "seeds"
    seeds.mkdir(parents=True, exist_ok=True)
    for at, data in enumerate(target.seeds()):
        (seeds / str(at)).write_bytes(data)

    def run(data: bytes) -> None:
        try:
            target.run(data)
        except PinciteError:
            pass

    def mutated(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.7:
            with suppress(Exception):  # a mutator of containers cannot read every mutant again
                return target.mutate(data, random)[:most]
        return atheris.Mutate(data, most)

    limits = [
        "-timeout=10",
        "-rss_limit_mb=1536",
        f"-max_total_time={seconds}",
        "-max_len=262144",
        "-print_final_stats=1",
    ]
    atheris.Setup(
        [sys.argv[0], *limits, f"-artifact_prefix={folder}/", str(seeds)],
        run,
        custom_mutator=mutated,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
