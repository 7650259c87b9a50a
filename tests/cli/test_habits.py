"""What makes the command line good to use day after day: slips, next steps, a corpus by habit, verbs in groups."""

import json

import pytest

from pincite.cli.main import GROUPS, VERBS

TAX = "What was the income tax expense in 2023?"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--where", "company=Solvk"), 2, "Did you mean 'Solvik Energy AS'?"),
        (("--where", "compny=Solvik"), 1, "Did you mean 'company'"),
        (("--unit", "kilowathours"), 2, "Did you mean kWh?"),
    ],
)
def test_a_slip_is_met_with_what_is_near(pincite, example_corpus, words, code, message):
    done, out, err = pincite("ask", TAX, "--corpus", example_corpus, *words)
    assert done == code and message in err and not out


def test_a_refusal_names_what_to_try_and_the_command_that_does_it(
    pincite, example_corpus, tmp_path
):
    asked = "How many llamas does Halvorsen Maritime own?"
    code, out, _ = pincite("ask", asked, "--corpus", example_corpus)
    steps = [line.strip() for line in out.splitlines() if line.strip().startswith("try ")]
    assert code == 0 and steps
    show = next(step for step in steps if "pincite show " in step)
    identity = show.rpartition("pincite show ")[2].split()[0]
    page = tmp_path / "near.png"
    assert pincite("show", identity, "--corpus", example_corpus, "--out", page)[0] == 0
    assert page.stat().st_size > 1000
    _, out, _ = pincite("ask", asked, "--corpus", example_corpus, "--json")
    assert [f"try {step}" in " ".join(steps) for step in json.loads(out)["next"]] == [True] * len(
        steps
    )


def test_a_filter_or_a_unit_that_left_nothing_is_named(pincite, example_corpus):
    words = "--corpus", example_corpus, "--where", "company=Solvik Energy AS"
    _, out, _ = pincite("ask", "What was the revenue of Halvorsen Maritime in 2023?", *words)
    assert "N/A" in out and "try the question without the filter company=Solvik Energy AS" in out


def test_the_corpus_of_the_settings_is_taken_from_folders_below_too(
    pincite, fresh_corpus, tmp_path, monkeypatch
):
    below = tmp_path / "work" / "deep"
    below.mkdir(parents=True)
    monkeypatch.delenv("PINCITE_CORPUS", raising=False)
    monkeypatch.chdir(below)
    code, _, err = pincite("list")
    assert code == 2 and "PINCITE_CORPUS" in err and "pincite.toml" in err
    (tmp_path / "pincite.toml").write_text('[pincite]\ncorpus = "corpus"\n')
    code, out, _ = pincite("list")
    assert code == 0 and "halvorsen-annual-report-2023.pdf" in out
    monkeypatch.setenv("PINCITE_CORPUS", str(tmp_path / "none"))
    assert pincite("list")[0] == 1  # the variable goes before the file, the option before both
    assert pincite("list", "--corpus", fresh_corpus)[0] == 0


def test_verbs_that_may_do_without_a_corpus_take_that_of_the_settings(
    pincite, example_corpus, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PINCITE_CORPUS", raising=False)
    assert pincite("tables")[0] == 2
    monkeypatch.setenv("PINCITE_CORPUS", str(example_corpus))
    code, out, _ = pincite("tables")
    assert code == 0 and "no database" in out
    assert "corpus: 3 documents" in pincite("doctor")[1]


def test_files_are_asked_without_a_corpus_of_ones_own(pincite, examples, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_CORPUS", str(tmp_path / "none"))
    report = examples / "files" / "halvorsen-annual-report-2023.pdf"
    code, out, err = pincite("ask", TAX, report)
    assert code == 0 and "11,706 thousand EUR" in out and "1 file read" in err
    code, out, err = pincite("ask", TAX, report)
    assert code == 0 and "11,706 thousand EUR" in out and "read" not in err
    assert pincite("ask", TAX, report, "--corpus", tmp_path)[0] == 2
    (tmp_path / "a.pdf").write_text("no PDF")
    assert pincite("ask", TAX, tmp_path / "a.pdf")[0] == 1


def test_a_refusal_names_its_answer(pincite, fresh_corpus):
    _, out, _ = pincite("ask", "How many llamas are there?", "--corpus", fresh_corpus)
    shown = next(line for line in out.splitlines() if line.startswith("  N/A"))
    identity = shown.rpartition("[")[2].rstrip("]")
    words = "review", "comment", identity, "asked them", "--corpus", fresh_corpus
    assert pincite(*words)[0] == 0


def test_a_corpus_outside_the_folder_of_its_settings_needs_consent(
    pincite, example_corpus, tmp_path, monkeypatch
):
    monkeypatch.delenv("PINCITE_CORPUS", raising=False)
    monkeypatch.chdir(tmp_path)
    for outside in (str(example_corpus), "postgresql://somewhere/corpus"):
        (tmp_path / "pincite.toml").write_text(f'[pincite]\ncorpus = "{outside}"\n')
        code, _, err = pincite("list")
        assert code == 2 and "has effects outside its folder" in err


def test_help_lists_every_verb_once_in_its_group(pincite):
    code, out, _ = pincite("--help")
    assert "..." not in out.partition("Make a corpus")[2]
    assert code == 0
    places = [out.index(f"\n{title}:") for title in GROUPS]
    assert places == sorted(places)
    listed = [line.split()[0] for line in out[places[0] :].splitlines() if line.startswith("  ")]
    assert [name for name in listed if name in VERBS] == list(VERBS)


def test_a_misspelt_verb_is_met_with_the_nearest(pincite):
    code, _, err = pincite("serch", "x")
    assert code == 2 and "Did you mean 'search'" in err


def test_a_run_of_which_no_file_could_be_read_fails(pincite, tmp_path):
    (tmp_path / "a.pdf").write_text("no PDF")
    (tmp_path / "b.docx").write_text("no Word file")
    code, _, err = pincite(
        "index", tmp_path / "a.pdf", tmp_path / "b.docx", "--corpus", tmp_path / "c"
    )
    assert code == 1 and "nothing was read" in err
