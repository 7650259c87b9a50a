"""Every target fuzzed by atheris for ten minutes, or for the seconds that PINCITE_FUZZ_SECONDS gives."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.registry import targets

SECONDS = os.environ.get("PINCITE_FUZZ_SECONDS", "600")
ROOT = Path(__file__).parent.parent.parent


@pytest.mark.stress
@pytest.mark.parametrize("name", list(targets()))
def test_no_input_crashes_hangs_or_swells(name, tmp_path):
    pytest.importorskip("atheris", reason="atheris runs on Linux and Python 3.11 to 3.13")
    command = [sys.executable, "-m", "tests.fuzz.guided", name, SECONDS, str(tmp_path)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    failing = sorted(str(path) for path in tmp_path.iterdir() if path.is_file())
    assert done.returncode == 0, (
        f"{name} fails on {', '.join(failing) or 'an input that was not kept'}:\n{done.stderr[-6000:]}"
    )
