"""Grids made and changed in the browser, the question sets that come with the package, plots of what they hold."""

import re
from decimal import Decimal

import pytest

from pincite.quantity import parse
from pincite.serve.value_plots import answer_plots, grid_plots
from pincite.types import Anchor, Answer, Cell, Citation, Claim, Quantity, Query, Table
from pincite.workbench.grid import Filled, Grid, question_set, question_sets, spec_from

from .conftest import API, PAGE, finished

EDITOR = "/c/reports/grids-editor"
FORM = {
    "title": "Day", "entity": "company", "rows": "Halvorsen Maritime plc\n\nNorthwind Tugs AS\n",
    "name": ["Revenue", "", "Income tax expense"], "question": ["", "", "What was the income tax expense of {entity} in 2023?"],
    "type": ["number", "", "number"], "unit": ["thousand EUR", "", ""], "period": ["2022, 2023", "", ""],
}  # fmt: skip


def filled(client, form):
    """The grid that a form makes, once it is filled, and what its job told."""
    reply = client.post(EDITOR, data=form, headers=PAGE)
    assert reply.status_code == 303, reply.text
    result = finished(client, reply.headers["location"].rpartition("/")[2])["result"]
    return client.get(f"/c/reports/grids/{result['grid']}", headers=PAGE).text, result


def test_a_grid_is_written_and_a_column_added_without_asking_the_others_again(client):
    page, result = filled(client, FORM)
    assert result["cells"] == 6 and result["answered"] == 6
    assert "412,608" in page and "398,115" in page and "11,706" in page
    assert 'data-plot="line"' in page and re.search(
        r'<td class="num"><a href="/c/reports/answers/[^"]+">412.6', page
    )
    held = client.get(EDITOR, params={"grid": "day"}, headers=PAGE).text
    assert 'value="Revenue 2023"' in held and "Northwind Tugs AS" in held
    names = [name for name in re.findall(r'name="name" value="([^"]*)"', held) if name]
    columns = {
        key: re.findall(rf'name="{key}" value="([^"]*)"', held)[: len(names)]
        for key in ("question", "unit", "period")
    }
    more = {
        **FORM, "grid": "day", "name": [*names, "Operating profit"], "type": ["number"] * (len(names) + 1),
        "question": [*columns["question"], ""], "unit": [*columns["unit"], ""], "period": [*columns["period"], "2023"],
    }  # fmt: skip
    page, result = filled(client, more)
    assert result["cells"] == 8 and result["answered"] == 2 and "68,253" in page


def test_a_column_is_added_in_place_and_fills_alone(client):
    form = {**FORM, "title": "In place", "rows": "Halvorsen Maritime plc\nSolvik Energy"}
    filled(client, form)
    more = {
        "question": "How many employees did {entity} have?",
        "type": "number",
        "period": "2023",
    }
    sent = client.post("/c/reports/grids/in-place/columns", data=more, headers=PAGE)
    assert sent.headers["location"] == "/c/reports/grids/in-place"
    page = client.get("/c/reports/grids/in-place", headers=PAGE).text
    (job, *_) = client.get(f"{API}/jobs").json()["items"]
    assert ("data-filling" in page) != (job["state"] == "done")
    result = finished(client, job["id"])["result"]
    assert result["cells"] == 8 and result["answered"] == 2
    page = client.get("/c/reports/grids/in-place", headers=PAGE).text
    assert "How many employees did {entity} have?" in page and "data-filling" not in page
    again = client.post("/c/reports/grids/in-place/columns", data=more, headers=PAGE)
    assert again.status_code == 422 and "two columns are named" in again.text


def test_documents_are_rows(client):
    page = client.get(
        EDITOR, params={"entity": "document", "template": "annual-report"}, headers=PAGE
    )
    if page.status_code == 404:
        page = client.get(EDITOR, params={"entity": "document"}, headers=PAGE)
    names = re.search(r'name="rows"[^>]*>([^<]*)<', page.text)[1].split("\n")
    assert "halvorsen-annual-report-2023.pdf" in names and 'value="document"' in page.text
    form = {
        "title": "Documents", "entity": "document", "rows": "halvorsen-annual-report-2023.pdf\nsolvik-sustainability-2023.pdf",
        "name": ["Tax"], "question": ["What was the income tax expense of {entity} in 2023?"], "type": ["number"],
    }  # fmt: skip
    page, result = filled(client, form)
    assert "11,706" in page and result["answered"] == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rows": " \n"}, "at least one"),
        (
            {"name": ["A", "A"], "question": ["", ""], "type": ["", ""], "period": ["", ""]},
            "two columns are named",
        ),
        ({"type": ["colour", "", ""]}, "there is no type"),
    ],
)
def test_what_is_wrong_is_told_beside_what_was_written(client, change, said):
    reply = client.post(EDITOR, data={**FORM, **change}, headers=PAGE)
    assert reply.status_code == 422 and said in reply.text and 'value="Day"' in reply.text


@pytest.mark.parametrize("given", question_sets(), ids=lambda each: each.name)
def test_question_sets_are_whole_and_open_in_the_editor(client, given):
    spec = given.spec(["Acme"])
    assert len(spec.columns) >= 12 and all(
        "Acme" in spec.query(spec.rows[0], one).text for one in spec.columns
    )
    assert all(parse(f"1 {one.unit}").unit for one in spec.columns if one.unit)
    page = client.get(EDITOR, params={"template": given.name}, headers=PAGE).text
    assert all(f'value="{one.name}"'.replace("'", "&#39;") in page for one in spec.columns)
    assert client.get(EDITOR, params={"template": "none"}, headers=PAGE).status_code == 404


def cell(row, column, number, unit="EUR", scale=1000):
    value = Quantity(Decimal(number), unit, Decimal(scale))
    return Filled(
        row, column, "", Query("?"), "supported", value, f"{number}", answer_id=f"{row}-{column}"
    )


def points_of(drawn):
    return [(point.name, point.value, point.over) for point in drawn.points]


def test_numbers_over_years_become_lines_and_one_year_bars():
    spec = spec_from({
        "title": "T", "rows": ["A", "B"],
        "columns": [{"name": "Sales", "periods": [2021, 2022]}, {"name": "Staff"}, "Chair"],
    })  # fmt: skip
    cells = tuple(
        (
            cell(row, "Sales 2021", 10 + at), cell(row, "Sales 2022", 20 + at), cell(row, "Staff", 7, "", 1),
            Filled(row, "Chair", "", Query("?"), "supported", "Ada", "Ada"),
        )
        for at, row in enumerate("AB")
    )  # fmt: skip
    sales, staff = grid_plots(Grid("t", spec, cells))
    assert (sales.title, sales.kind, sales.along) == ("Sales, thousand EUR", "line", "year")
    assert points_of(sales) == [("A", 10, 2021), ("A", 20, 2022), ("B", 11, 2021), ("B", 21, 2022)]
    assert (staff.title, staff.kind) == ("Staff", "bar")
    assert points_of(staff) == [("A", 7, None), ("B", 7, None)]
    assert staff.points[0].address == "/answers/A-Staff?topic=&grid=t"


def test_an_answer_that_is_a_table_is_drawn():
    cells = [("firm", "t"), ("A", "12"), ("B", "30")]
    table = Table(
        tuple(
            Cell(row, column, text)
            for row, line in enumerate(cells)
            for column, text in enumerate(line)
        ),
        header_rows=1,
        header_columns=1,
    )
    read = Citation("2", "node", Anchor("hash"), "B had 30")
    [drawn] = answer_plots(Answer(Query("How much?"), "", table, citations=(read,)), "id")
    assert points_of(drawn) == [("A", 12, None), ("B", 30, None)]
    assert [point.address for point in drawn.points] == ["", "/answers/id?cite=2#proof"]
    assert answer_plots(Answer(Query("How much?"), "", Quantity(Decimal(3))), "id") == []


def test_numbers_of_several_times_lead_to_what_they_were_read_from():
    values = tuple(
        Quantity(Decimal(number), "EUR", period=year)
        for number, year in ((3, "2022"), (4, "2023"))
    )
    claims = tuple(Claim("", value, (value.period,)) for value in values)
    [drawn] = answer_plots(Answer(Query("How much?"), "", values, claims=claims), "id")
    assert points_of(drawn) == [("2022", 3, None), ("2023", 4, None)]
    assert drawn.points[1].address == "/answers/id?cite=2023#proof"


def test_rows_of_a_database_are_drawn_under_their_names_and_two_numbers_against_each_other():
    lines = [
        ("alloy", "strength (MPa)", "density (g/cm3)"),
        ("A", "300", "7.8"),
        ("B", "200", "2.7"),
        ("C", "900", "4.5"),
    ]
    cells = (Cell(row, at, text) for row, line in enumerate(lines) for at, text in enumerate(line))
    table = Table(tuple(cells), header_rows=1, header_columns=0)
    against, strengths = answer_plots(Answer(Query("Strength and density"), "", table), "id")
    assert against.title == "strength (MPa) over density (g/cm3)" and against.kind == "scatter"
    assert points_of(against) == [
        ("B", 200, Decimal("2.7")), ("C", 900, Decimal("4.5")), ("A", 300, Decimal("7.8")),
    ]  # fmt: skip
    assert points_of(strengths) == [("A", 300, None), ("B", 200, None), ("C", 900, None)]


def test_a_set_that_is_not_there_lists_those_that_are():
    with pytest.raises(Exception, match="credit-memo"):
        question_set("esg")
