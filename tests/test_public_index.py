"""`pincite.index` is a function for whoever calls it, also where the room of that name was imported before."""

import subprocess
import sys


def test_index_can_be_called_after_its_room_was_imported(tmp_path):
    (tmp_path / "a.md").write_text("# A\n\nVelmo employed 1,284 people.\n")
    code = (
        "import pincite, pincite.search.index.shelf\n"
        "pincite.index('a.md', 'c')\n"
        "from pincite import index\n"
        "index('a.md', 'c')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
