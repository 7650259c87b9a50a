"""A metadata file changes where a question is looked up, by the command line, and says so."""

import json

import pytest

PAGE = "# Statement\n\nThe board met {meetings} times in the year. The chair is {chair}.\n"
ROWS = {
    "x1.md": ("Contoso Tugs plc", "2022", "annual report", "English", "emea", 11, "Ada Holm"),
    "x2.md": ("Contoso Tugs plc", "2023", "annual report", "English", "emea", 12, "Bo Lind"),
    "x3.md": ("Fabrikam Docks AB", "2023", "annual report", "Swedish", "apac", 13, "Eva Brandt"),
    "x4.md": (
        "Fabrikam Docks AB",
        "2023",
        "sustainability report",
        "English",
        "apac",
        14,
        "Cy Moss",
    ),
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    from pincite.workbench.library import index

    folder = tmp_path_factory.mktemp("metadata")
    lines = ["file,company,alias,year,kind,language,region"]
    (folder / "files").mkdir()
    for name, (company, year, kind, language, region, meetings, chair) in ROWS.items():
        (folder / "files" / name).write_text(PAGE.format(meetings=meetings, chair=chair))
        lines.append(
            f"{name},{company},{'Northern Works' if 'Fabrikam' in company else ''},{year},{kind},{language},{region}"
        )
    (folder / "metadata.csv").write_text("\n".join(lines))
    index(folder / "files", folder / "plain")
    index(folder / "files", folder / "told", metadata=folder / "metadata.csv")
    return folder


@pytest.mark.parametrize(
    ("question", "document", "why"),
    [
        ("Who is the chair of Contoso Tugs in 2022?", "x1.md", "names 'Contoso Tugs', of 2022"),
        ("Who is the chair of Contoso Tugs in 2023?", "x2.md", "names 'Contoso Tugs', of 2023"),
        (
            "Who is the chair in the sustainability report of Northern Works?",
            "x4.md",
            "sustainability report",
        ),
        ("Who is the chair in the Swedish report?", "x3.md", "Swedish"),
    ],
)
def test_a_question_is_routed_by_the_metadata_and_says_so(
    corpus, question, document, why, pincite
):
    told = json.loads(pincite("ask", question, "--corpus", corpus / "told", "--json")[1])
    first = told["routed"][0]
    assert first["document"] == document and why in first["why"]
    assert [one["document"] for one in told["citations"]] in ([document], [])
    assert (
        json.loads(pincite("ask", question, "--corpus", corpus / "plain", "--json")[1])["routed"]
        == []
    )
    found = json.loads(pincite("search", question, "--corpus", corpus / "told", "--json")[1])
    assert found[0]["document"] == document


def test_the_terminal_tells_the_routing_and_the_metadata(corpus, pincite):
    code, out, _ = pincite(
        "ask",
        "Who is the chair of Contoso Tugs in 2022?",
        "--corpus",
        corpus / "told",
        "--explain",
    )
    assert code == 0 and "routed to x1.md: names 'Contoso Tugs', of 2022" in " ".join(out.split())
    listed = pincite("list", "--corpus", corpus / "told")[1]
    assert "company: Contoso Tugs plc" in listed and "region: apac" in listed
    assert "company:" not in pincite("list", "--corpus", corpus / "plain")[1]


def test_a_column_of_any_name_filters(corpus, pincite):
    found = json.loads(
        pincite(
            "search", "chair", "--where", "region=apac", "--corpus", corpus / "told", "--json"
        )[1]
    )
    assert {one["document"] for one in found} == {"x3.md", "x4.md"}
