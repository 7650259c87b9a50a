"""Sort a set's questions, then answer requests: `python -m benchmarks.oracle SET --data DIR --folder DIR`.

The golds with their sorts are written to golds.jsonl in the folder, requests and replies to the log; then a line with the
port is printed. It runs until its standard input ends.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from pathlib import Path

from .gold import FOLDERS, load
from .server import Oracle, serve


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.oracle", description=__doc__)
    parser.add_argument("set", choices=sorted(FOLDERS))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--log", default="log.jsonl")
    parser.add_argument(
        "--sample", type=int, default=0, help="ask this number of questions, drawn by the seed"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--wrong", type=float, default=0.0, help="the share of replies that an error is put into"
    )
    parser.add_argument("--port", type=int, default=0)
    given = parser.parse_args()
    golds = load(given.set, given.data, given.sample, given.seed)
    given.folder.mkdir(parents=True, exist_ok=True)
    lines = (
        {
            "id": one.id,
            "sort": one.sort,
            "kind": one.kind,
            "documents": one.documents,
            "pages": one.pages or one.held,
        }
        for one in golds
    )
    (given.folder / "golds.jsonl").write_text(
        "".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8"
    )
    server = serve(Oracle(golds, given.seed, given.wrong, given.folder / given.log), given.port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main()
