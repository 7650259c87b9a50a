"""The names that a user imports."""

import subprocess
import sys


def test_index_stays_a_function_after_the_package_of_that_name_is_imported(tmp_path):
    (tmp_path / "a.md").write_text("# Costs\n\nWages were 12.\n")
    script = "import pincite.integrations.text_pieces, pincite\nfor _ in range(2): print(pincite.index('a.md', 'corpus').parsed)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.split() == ["1", "0"], done.stderr
