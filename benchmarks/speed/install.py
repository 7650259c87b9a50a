"""The size of an installation without extras, and the time of `pincite ask` in a cold process, for two checkouts.

    python benchmarks/speed/install.py BEFORE NOW [--runs 15] [--folder FOLDER]

pip installs each checkout into a separate environment with its default dependencies, and each indexes its own
`examples/files`. Then both are asked the same question alternately, each time in a new process: median wall-clock seconds and
processor seconds (user and system, of all threads). FOLDER keeps the environments, so that a second run only asks.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUESTION = "What was the income tax expense of Halvorsen Maritime in 2023?"


def installed(checkout: Path, folder: Path) -> Path:
    """The environment of a checkout, made unless it is there."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", checkout], check=True)
        run(
            folder,
            "index",
            str(checkout / "examples" / "files"),
            "--corpus",
            str(folder / "corpus"),
        )
    return folder


def run(folder: Path, *arguments: str) -> tuple[float, float]:
    """Run `pincite` of an environment; returns wall-clock and processor seconds. Its exit code 1 is an error."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [folder / "bin" / "pincite", *arguments], capture_output=True, check=True, cwd=folder
    )
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def weight(folder: Path) -> tuple[float, float, int]:
    """Megabytes of all installed packages and of Pincite, and the number of packages; pip and the like are not counted."""
    (packages,) = folder.glob("lib/python*/site-packages")
    tools = ("pip", "setuptools", "pkg_resources", "_distutils_hack")
    files = [one for one in packages.rglob("*") if one.is_file() and not one.is_symlink()]
    sizes = {one.relative_to(packages).parts: one.stat().st_size for one in files}
    kept = {parts: size for parts, size in sizes.items() if not parts[0].lower().startswith(tools)}
    distributions = [
        one for one in packages.glob("*.dist-info") if not one.name.lower().startswith(tools)
    ]
    own = sum(size for parts, size in kept.items() if parts[0] == "pincite")
    return sum(kept.values()) / 1e6, own / 1e6, len(distributions)


def main() -> None:
    """Print both, one figure a line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", type=Path, nargs=2, metavar="CHECKOUT")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as own:
        place = (options.folder or Path(own)).resolve()
        both = [
            installed(one.resolve(), place / str(at)) for at, one in enumerate(options.checkouts)
        ]
        asks = [("ask", QUESTION, "--corpus", str(one / "corpus")) for one in both]
        verbs = {"pincite ask": asks, "pincite --version": [("--version",)] * 2}
        clock: dict[str, list[list[tuple[float, float]]]] = {verb: [[], []] for verb in verbs}
        for _ in range(options.runs):
            for verb, orders in verbs.items():
                for at, (folder, order) in enumerate(zip(both, orders, strict=True)):
                    clock[verb][at].append(run(folder, *order))
        weights = [weight(one) for one in both]
    rows = [
        (name, [one[at] for one in weights])
        for at, name in enumerate(("all, MB", "pincite, MB", "distributions"))
    ]
    for verb, made in clock.items():
        for at, unit in enumerate(("ms by the clock", "ms of the processor")):
            rows.append(
                (
                    f"{verb}, {unit}",
                    [1000 * statistics.median(one[at] for one in some) for some in made],
                )
            )
    print(f"{'':<38}{'before':>10}{'now':>10}")
    for name, values in rows:
        print(f"{name:<38}" + "".join(f"{value:>10.1f}" for value in values))


if __name__ == "__main__":
    main()
