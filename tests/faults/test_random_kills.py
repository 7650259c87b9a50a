"""Kill -9 at any step of indexing a folder that changes: the corpus stays whole, and the next run finishes what was left."""

import shutil

import pytest

from pincite.corpus.writer import writing
from pincite.workbench.library import index
from tests.faults.killing import kills

pytestmark = pytest.mark.servers


def test_eight_random_kills(tmp_path):
    kills(tmp_path / "reports", tmp_path / "c", tmp_path / "fresh", 8, seed=5)


@pytest.mark.stress
@pytest.mark.parametrize("seed", range(10))
def test_fifty_random_kills(tmp_path, seed):
    kills(tmp_path / "reports", tmp_path / "c", tmp_path / "fresh", 50, seed=seed)


def test_what_a_kill_leaves_of_an_index_that_goes_is_not_taken_for_one(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("The valve was replaced in 2023.")
    index([tmp_path / "a.txt"], tmp_path / "c")
    old = tmp_path / "c" / "shelves" / "0123"
    old.mkdir()
    for name in "nodes", "owners":
        (old / name).write_text(name)
    removed = shutil.rmtree

    def killed(folder, **more):
        if (folder / "owners").exists():
            (folder / "owners").unlink()
            raise KeyboardInterrupt
        removed(folder, **more)

    with writing(tmp_path / "c") as writer:
        with monkeypatch.context() as patch:
            patch.setattr("shutil.rmtree", killed)
            with pytest.raises(KeyboardInterrupt):
                writer.sweep()
        assert not old.exists() and (tmp_path / "c" / "shelves" / "0123.half" / "nodes").exists()
        writer.sweep()
    assert not [
        path for path in (tmp_path / "c" / "shelves").iterdir() if path.name.startswith("0123")
    ]
