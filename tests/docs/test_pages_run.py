"""Every page runs as it stands: each command and block in order, as `documented.py` says. `make docs` follows all pages."""

import pytest

from tests.docs.documented import ROOT, Reader, follow, steps, warm_commands

pytestmark = pytest.mark.servers

NOT_FOLLOWED = {"results.md", "architecture.md"}
"""Pages whose commands take hours or data that is not here; they tell how something was measured or made."""
PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if path.name not in NOT_FOLLOWED
]


@pytest.fixture(scope="session")
def warm(tmp_path_factory):
    with warm_commands(tmp_path_factory.mktemp("warm")) as place:
        yield place


def test_the_readme_runs(example_corpus, warm, tmp_path):
    told = follow(ROOT / "README.md", tmp_path, example_corpus, warm)
    assert told["run"] > 3


@pytest.mark.stress
@pytest.mark.parametrize("page", [*PAGES, "examples/experiments/README.md"])
def test_a_page_runs(page, example_corpus, warm, tmp_path):
    follow(ROOT / page, tmp_path, example_corpus, warm)


def test_a_page_is_read_as_its_reader_would(example_corpus, warm, tmp_path):
    page = (
        '```console\n$ export NAME=x\n$ echo "$NAME 1.5 s" \\\n> && echo done # a comment\nx 7.25 s\ndone\n```\n'
        '```yaml title="a/b.yaml"\nkey: 1\n```\n```python\nprint(open("a/b.yaml").read())\n```\n\n```text\nkey: ...\n```\n'
        "```console\n$ echo id 0a1b2c3d4e5f\nid ffffffffff01\n$ echo ffffffffff01\n0a1b2c3d4e5f\n$ false # exit code 1\n```\n"
    )
    reader = Reader(tmp_path, example_corpus, warm)
    try:
        done = steps(page)
        printed = []
        for step in done:
            printed.append(reader.follow(step))
            assert reader.differs(step, printed[-1]) == "", step
        assert [step.language for step in done] == [*["console"] * 2, "yaml", "python", *["console"] * 3]  # fmt: skip
        assert printed[1] == "x 1.5 s\ndone\n" and printed[3] == "key: 1\n\n"
        done[1].shown = ["done", "x 7.25 s"]
        assert reader.differs(done[1], printed[1]) == "x 7.25 s"
        with pytest.raises(AssertionError, match="exit code 1, not 0"):
            reader.follow(steps("```console\n$ false\n```\n")[0])
        with pytest.raises(AssertionError, match="no such target"):
            reader.follow(steps("```console\n$ make nonsense\n```\n")[0])
    finally:
        reader.close()
