"""Who did what and when: one line of JSON for every request that changed something or was refused."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from pathlib import Path

_one = threading.Lock()


def noted(path: Path, **what: object) -> None:
    """Add a line. What a log cannot hold does not stop the request: it stands in the server's own log."""
    line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="milliseconds"), **what}, ensure_ascii=True)
    with _one, path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
