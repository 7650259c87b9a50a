"""`pincite grid`, `review`, `bundle` and `verify` as a user meets them."""

import json

import openpyxl
from PIL import Image

SPEC = """
title: Two reports
entity: document
rows: [halvorsen-annual-report-2023, solvik-sustainability-2023]
columns:
  - {name: Income tax expense, type: number, unit: thousand EUR, period: 2023}
  - {name: Hazardous waste, type: number, unit: t, period: 2022}
"""


def test_a_grid_corrected_bundled_and_verified(pincite, fresh_corpus, tmp_path):
    corpus = ("--corpus", fresh_corpus)
    (tmp_path / "spec.yaml").write_text(SPEC)
    out = tmp_path / "grid.xlsx"
    code, said, _ = pincite(
        "grid", tmp_path / "spec.yaml", *corpus, "--out", out, "--no-model", "--json"
    )
    lines = [json.loads(line) for line in said.splitlines()]
    assert code == 0 and [one["done"] for one in lines[:-1]] == [0, 1, 2, 3, 4]
    assert (lines[-1]["answered"], lines[-1]["moved"], lines[-1]["out"]) == (4, 0, str(out))
    sheet = openpyxl.load_workbook(out)["Grid"]
    assert (sheet["B3"].value, sheet["C4"].value) == (11706, 2145)
    evidence = openpyxl.load_workbook(out)["Evidence"]
    assert Image.open(tmp_path / evidence["J2"].hyperlink.target).size[0] > 1000

    answer = evidence["L2"].value
    of = ("--of", "two-reports:halvorsen-annual-report-2023:Income tax expense")
    code, said, _ = pincite(
        "review", "correct", answer, "-11,707", *corpus, *of, "--by", "Ada", "--note", "restated"
    )
    assert (
        code == 0
        and "Ada corrected to -11,707 thousand EUR" in said
        and "no place is cited" in said
    )
    code, said, _ = pincite(
        "grid", tmp_path / "spec.yaml", *corpus, "--out", out, "--no-model", "--no-pages"
    )
    assert (
        code == 0 and "4 cells, 0 answered in this run, 0 moved" in said and "1 corrected" in said
    )
    assert openpyxl.load_workbook(out)["Grid"]["B3"].value == -11707

    code, said, _ = pincite(
        "bundle", *corpus, "--grid", "two-reports", "--out", tmp_path / "all.zip", "--no-model"
    )
    assert code == 0 and "4 answers in" in said
    code, said, _ = pincite(
        "bundle", answer, *corpus, "--out", tmp_path / "evidence.zip", "--no-model", "--json"
    )
    digest = json.loads(said)["digest"]
    assert code == 0
    code, said, _ = pincite("verify", tmp_path / "evidence.zip", "--expect", digest)
    assert code == 0 and "1 answer: 1 read again" in said and "nothing was changed" in said
    body = bytearray((tmp_path / "evidence.zip").read_bytes())
    body[len(body) // 2] ^= 1
    (tmp_path / "evidence.zip").write_bytes(body)
    code, said, _ = pincite("verify", tmp_path / "evidence.zip", "--json")
    assert code == 1 and not json.loads(said)["ok"] and json.loads(said)["findings"]


def test_what_a_user_gets_wrong(pincite, example_corpus, tmp_path):
    corpus = ("--corpus", example_corpus)
    (tmp_path / "spec.yaml").write_text(SPEC)
    for words, said in (
        (
            ("grid", tmp_path / "none.yaml", *corpus, "--out", tmp_path / "a.xlsx"),
            "no grid spec at",
        ),
        (
            ("grid", tmp_path / "spec.yaml", *corpus, "--out", tmp_path / "a.ods"),
            "has none of these endings",
        ),
        (
            ("review", "agree", "ffff", *corpus),
            "takes one of list, accept, correct, comment, withdraw, export",
        ),
        (("review", "correct", "ffff", *corpus), "needs ANSWER VALUE"),
        (
            ("review", "correct", "ffff", "1", *corpus, "--cell", "x"),
            "--cell NODE:ROW:COLUMN is needed",
        ),
        (
            ("review", "correct", "ffff", "1", *corpus, "--box", "a.pdf:1:0,0"),
            "--box DOCUMENT:PAGE:X0,TOP,X1,BOTTOM is needed",
        ),
        (("review", "correct", "ffff", "1", *corpus, "--cell", "x", "--box", "y"), "not both"),
        (("review", "accept", "ffff", *corpus, "--of", "grid"), "--of needs GRID:ROW:COLUMN"),
        (("review", "export", *corpus), "needs --out FILE"),
        (
            ("review", "export", *corpus, "--out", tmp_path / "gold.jsonl"),
            "nothing has been accepted or corrected yet",
        ),
        (("bundle", "ffff", *corpus, "--out", tmp_path / "a.zip"), "no answer 'ffff' is kept"),
        (("verify", tmp_path / "none.zip"), "cannot read"),
    ):
        code, _, error = pincite(*words)
        assert code == 2 and said in error, words
    code, out, _ = pincite("review", "list", *corpus)
    assert code == 0 and "nothing has been reviewed yet" in out
