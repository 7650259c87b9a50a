"""Print, for every kind or those named, the share of the values shown that is read right, and what is read and not shown."""

import argparse
import sys

from tests.complaints.reading import KINDS, MEASURED, PLACED, RIGHT, share

HEAD = f"{'kind':<8}{'files':>7}{'values':>8}{'placed':>9}{'right':>9}{'with unit':>11}{'not shown':>11}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", help=f"of {', '.join(KINDS)}; by default all")
    parser.add_argument("--seeds", type=int, help="the first so many files of each kind")
    parser.add_argument("-v", "--verbose", action="store_true", help="print each failure")
    given = parser.parse_args()
    if unknown := set(given.kinds) - set(KINDS):
        parser.error(f"no such kind: {', '.join(unknown)}; there are {', '.join(KINDS)}")
    sys.stdout.write(f"{HEAD}\n")
    for kind in given.kinds or KINDS:
        seeds = range(KINDS[kind])[: given.seeds]
        told = share(kind, seeds)
        shares = f"{told.of(PLACED):>9.1%}{told.of(RIGHT):>9.1%}{told.of(MEASURED):>11.1%}"
        lines = [f"{kind:<8}{len(seeds):>7}{len(told.levels):>8}{shares}{len(told.leaks):>11}"]
        if given.verbose:
            lines += [f"    {one}" for one in (*told.misread, *told.leaks)]
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
