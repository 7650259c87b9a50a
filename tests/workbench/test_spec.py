"""What a grid asks, read from YAML, CSV and XLSX; and what is said of one that cannot be read."""

import zipfile
from itertools import pairwise

import pytest
from openpyxl import Workbook

from pincite.errors import UsageError
from pincite.workbench.grid import GridColumn, GridRow, grid_id, read_spec, spec_from, spec_to

YAML = """
title: Tug owners
rows:
  - Contoso
  - {name: Fabrikam, documents: [fabrikam_2023.md, fabrikam_2022.md]}
  - {name: Litware, company: Litware AG, where: {year: 2023}}
columns:
  - {name: Revenue, type: number, unit: million EUR, periods: [2022, 2023]}
  - {name: Chair, question: "Who chairs the board of {company}?", type: name}
  - Did they pay a dividend?
  - {name: Staff, type: number, period: 2023, question: "How many people worked for {entity} in {period}?"}
"""
REVENUE = "What is the Revenue of {entity}?"


@pytest.fixture
def yaml(tmp_path):
    path = tmp_path / "owners.yaml"
    path.write_text(YAML)
    return path


def test_yaml(yaml):
    spec = read_spec(str(yaml))
    assert (spec.title, spec.entity, grid_id(spec)) == ("Tug owners", "company", "tug-owners")
    assert spec.rows == (
        GridRow("Contoso"),
        GridRow("Fabrikam", (("document", ("fabrikam_2023.md", "fabrikam_2022.md")),)),
        GridRow("Litware", (("company", ("Litware AG",)), ("year", ("2023",)))),
    )
    assert spec.columns == (
        GridColumn("Revenue 2022", REVENUE, "number", "million EUR", "2022"),
        GridColumn("Revenue 2023", REVENUE, "number", "million EUR", "2023"),
        GridColumn("Chair", "Who chairs the board of {entity}?", "name"),
        GridColumn("Did they pay a dividend?", "Did they pay a dividend?"),
        GridColumn("Staff", "How many people worked for {entity} in {period}?", "number", "", "2023"),
    )  # fmt: skip
    query = spec.query(spec.rows[0], spec.columns[4])
    assert query.text == "How many people worked for Contoso in 2023?"
    assert query.where == (("company", ("Contoso",)),) and query.expects == "number"
    asked = [spec.query(spec.rows[0], column).text for column in spec.columns[:2]]
    assert asked == [f"What is the Revenue of Contoso in {year}?" for year in (2022, 2023)]


def test_a_spec_as_json_reads_back(yaml):
    spec = read_spec(yaml)
    assert spec_from(spec_to(spec)) == spec


CELLS = [
    ["document", "Revenue", "Net loss?", "documents"], ["unit", "thousand EUR", "", ""],
    ["type", "number", "boolean", ""], ["period", "2023", "", ""], ["Harbour plan", "", "", "harbour.pdf; annex.pdf"],
    ["Quay survey", "12", "", ""],
]  # fmt: skip


def sheet(tmp_path, kind, cells=CELLS):
    path = tmp_path / f"plans.{kind}"
    if kind == "csv":
        path.write_text("\n".join(",".join(row) for row in cells))
    else:
        book = Workbook()
        for row in cells:
            book.active.append(
                [None if cell == "" else int(cell) if cell.isdigit() else cell for cell in row]
            )
        book.save(path)
    return path


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_sheet_with_empty_cells(tmp_path, kind):
    spec = read_spec(sheet(tmp_path, kind))
    assert (spec.title, spec.entity) == ("plans", "document")
    assert spec.rows == (
        GridRow("Harbour plan", (("document", ("harbour.pdf", "annex.pdf")),)),
        GridRow("Quay survey"),
    )
    assert spec.columns == (
        GridColumn("Revenue", "What is the Revenue?", "number", "thousand EUR", "2023"),
        GridColumn("Net loss?", "Net loss?", "boolean"),
    )
    assert spec.given == {("Quay survey", "Revenue"): "12"}
    assert spec_from(spec_to(spec)) == spec


@pytest.mark.parametrize("apart", [";", "\t"])
def test_a_sheet_whose_cells_stand_apart_otherwise(tmp_path, apart):
    path = tmp_path / "peers.csv"
    path.write_text(
        "\ufeff" + apart.join(("company", "Revenue, net")) + "\n" + apart.join(("Contoso", ""))
    )
    spec = read_spec(path)
    assert (spec.rows, spec.columns[0].name) == ((GridRow("Contoso"),), "Revenue, net")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rows: [A]", "`columns` is needed"),
        ("rows: []\ncolumns: [B]", "`rows` is needed"),
        ("- A", "a table with title, entity, rows, columns"),
        (
            "rows: [A]\ncolumns: [{name: B, kind: number}]",
            "columns[1]: there is no key 'kind' here; known: name, question",
        ),
        (
            "rows: [A]\ncolumns: [{name: B, type: money}]",
            "columns[1]: there is no type 'money'; known: number, boolean",
        ),
        (
            "rows: [A]\ncolumns: [{name: B, question: 'What of {firm}?'}]",
            "{firm} in the question is not known",
        ),
        (
            "rows: [A]\ncolumns: [{name: B, question: 'What in {period}?'}]",
            "the column has no period",
        ),
        (
            "rows: [A]\ncolumns: [{name: B, period: 1, periods: [2]}]",
            "`period` or `periods`, not both",
        ),
        ("rows: [A, A]\ncolumns: [B]", "two rows are named 'A'"),
        ("rows: [A]\ncolumns: [B, {name: B}]", "two columns are named 'B'"),
        ("rows: [{documents: [a.pdf]}]\ncolumns: [B]", "rows[1].name: a name is needed"),
        (
            "rows: [{name: A, where: 2023}]\ncolumns: [B]",
            "rows[1].where: fields with their values are needed",
        ),
        ("rows: [A]\ncolumns: [B\n", "line 3 is not valid YAML"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, text, said):
    path = tmp_path / "grid.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        read_spec(path)
    assert str(path) in str(error.value) and said in str(error.value)


@pytest.mark.parametrize(("cells", "said"), [
    ([["company"]], "at least one column"), ([["company", "Revenue"]], "below its first row, one company"),
    ([["company", "Revenue"], ["", "12"]], "row 2: the first cell must name the company"),
    ([["company", "Revenue", ""], ["A", "", "7"]], "row 2: column 3 holds '7' and has no heading"),
    ([["company", "Revenue"], ["type", "money"], ["A", ""]], "column 2: there is no type 'money'"),
    ([["company", "Revenue"], ["A", ""], ["unit", "EUR"]], "row 3: 'unit' must be above the first company"),
])  # fmt: skip
def test_what_is_wrong_with_a_sheet_is_said(tmp_path, cells, said):
    with pytest.raises(UsageError) as error:
        read_spec(sheet(tmp_path, "csv", cells))
    assert said in str(error.value)


LAUGHS = "rows:\n- &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"- &{after} [{', '.join(10 * [f'*{before}'])}]\n" for before, after in pairwise("abcdefghi")
)


@pytest.mark.parametrize(("text", "said"), [
    (f"{LAUGHS}columns: [x]", "with its aliases written out"),
    (f"rows: {5000 * '['}{5000 * ']'}\ncolumns: [x]", "nested too deeply"),
    ("rows: &a [*a]\ncolumns: [x]", "or holds itself"),
    (f"rows: [[{'x, ' * 10_000}]]\ncolumns: [x]", "a text is needed"),
])  # fmt: skip
def test_a_file_that_would_grow_without_bound_is_refused(tmp_path, text, said):
    path = tmp_path / "grid.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=said) as error:
        read_spec(path)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize(("row", "said"), [
    ('<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>', "far below"),
    (f'<row r="3">{"<c/>" * 9_000_000}</row>', "unpacks to more than 32 MB"),
])  # fmt: skip
def test_a_workbook_that_unpacks_to_too_much_is_refused(tmp_path, row, said):
    whole = sheet(tmp_path, "xlsx", [["company", "Revenue"], ["Contoso", ""]])
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(whole) as held, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as made:
        for one in held.namelist():
            made.writestr(
                one, held.read(one).replace(b"</sheetData>", row.encode() + b"</sheetData>")
            )
    with pytest.raises(UsageError, match=said):
        read_spec(bomb)


def test_files_that_are_no_spec(tmp_path):
    (tmp_path / "a.docx").write_text("")
    (tmp_path / "b.xlsx").write_text("no workbook")
    for name, said in (
        ("a.docx", "must end in"), ("b.xlsx", "cannot be read as XLSX"), ("c.yaml", "no grid spec at"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=said):
            read_spec(tmp_path / name)
