"""What figures depend on: hashes of the code and the data, the libraries, the hardware. No paths and no names of machines."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

LIBRARIES = (
    "pincite", "numpy", "onnxruntime", "tokenizers", "pypdfium2", "pint", "PyStemmer", "pydantic-ai-slim",
    "sentence-transformers", "torch",
)  # fmt: skip
"""The libraries whose version may change a figure."""
_APART = ("chat", "cli")


@cache
def fingerprint() -> str:
    """A hash of all code and data that can change an answer: runs of other code are never taken for this one's."""
    import pincite

    root = Path(pincite.__file__).parent
    files = sorted(path for kind in ("*.py", "*.toml", "*.json") for path in root.rglob(kind))
    digest = hashlib.sha256()
    for path in files:
        if path.relative_to(root).parts[0] not in _APART:
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:10]


def digest(value: Any) -> str:
    """The hash of what JSON can hold."""
    said = json.dumps(value, sort_keys=True, default=str).encode()
    return hashlib.blake2b(said, digest_size=12).hexdigest()


def sha256(path: Path) -> str:
    """The hash of a question file, or of those files that lie directly in a folder of questions."""
    files = [path]
    if path.is_dir():
        files = sorted(each for each in path.iterdir() if each.suffix in (".jsonl", ".csv"))
    hashed = hashlib.sha256()
    for file in files:
        hashed.update(file.read_bytes())
    return hashed.hexdigest()


def versions() -> dict[str, str]:
    """The version of Python and of every library of LIBRARIES that is installed, and the hash of the code."""
    made = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            made[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {**made, "code": fingerprint()}


def hardware() -> str:
    """Processor, cores, memory, and the system's kind, in one line."""
    try:
        memory = f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB"
    except (ValueError, OSError, AttributeError):
        memory = "memory unknown"
    return f"{_processor()}, {os.cpu_count() or 1} cores, {memory}, {platform.system()} {platform.machine()}"


def _processor() -> str:
    try:
        found = re.search(
            r"^model name\s*:\s*(.+)$",
            Path("/proc/cpuinfo").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor()
