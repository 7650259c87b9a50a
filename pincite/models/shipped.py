"""Models that are part of the package: their files, checked, and sessions that run them on onnxruntime."""

from __future__ import annotations

import hashlib
import os
from importlib import resources
from typing import Any

from pincite.errors import PinciteError
from pincite.formats.bounds import Bounds, number

_MANY = Bounds(1, 1024)


def content(folder: str, name: str, digest: str) -> bytes:
    """The bytes of pincite/data/`folder`/`name`; PinciteError when they are not those that `digest` (sha256) names."""
    file = resources.files("pincite") / "data" / folder / name
    try:
        found = file.read_bytes()
    except OSError as error:
        wrong = f"cannot be read ({error.strerror or error})"
    else:
        made = hashlib.sha256(found).hexdigest()
        if made == digest:
            return found
        wrong = f"is damaged: {len(found)} bytes with sha256 {made}, not {digest}"
    raise PinciteError(
        f"The model's file {file} {wrong}. It is part of the package: reinstall it with "
        "`pip install --force-reinstall --no-deps pincite`."
    )


def session(model: bytes) -> Any:
    """A session that runs `model` on one thread of the CPU: several runs at a time are as fast as one run on several.

    The graphs of the package are written in the operators that are to run, and their int8 weights saturate no product, so
    onnxruntime's rewriting for x86 (wider products, normalisation together with a sum) would only make them slower.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def threads() -> int:
    """How many runs go on at a time: the environment's PINCITE_THREADS, or else one for every core."""
    given = os.environ.get("PINCITE_THREADS", "")
    return int(number("PINCITE_THREADS", given, int, _MANY)) if given else os.cpu_count() or 1
