"""A grid in the browser: sorted, filtered, gone through and copied by key; its plots, by key, by pointer and by finger."""

import re

import httpx
import pytest

from .conftest import WINDOW

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.servers

API = "/api/v1/corpora/reports"
SPEC = {
    "title": "Money", "entity": "company",
    "rows": ["Northwind Tugs AS", "Solvik Energy AS", "Halvorsen Maritime plc"],
    "columns": [
        {"name": "Revenue", "type": "number", "unit": "thousand EUR", "periods": [2022, 2023]},
        {"name": "Employees", "type": "number", "question": "How many employees did {entity} have at the end of 2023?"},
    ],
}  # fmt: skip
GRID = "/c/reports/grids/money"
NOW = "document.activeElement.innerText.trim()"


@pytest.fixture(scope="module")
def site(site):
    """The server, with a grid of three firms."""
    with httpx.Client(base_url=site, timeout=60) as client:
        job = client.post(f"{API}/grids", json=SPEC).json()["id"]
        with client.stream("GET", f"{API}/jobs/{job}/events") as events:
            for _ in events.iter_lines():
                pass
    return site


def come(page, *names):
    """Wait until these rows stand, in this order: the grid is drawn again a moment after a click."""
    rows = page.locator("[data-grid] tbody th")
    expect(rows).to_have_text([re.compile(rf"\s*{name}\b") for name in names])


def test_rows_are_sorted_and_filtered(page):
    page.goto(GRID)
    sort = page.get_by_role("button", name="Revenue 2023")
    for way in ("ascending", "descending"):  # what has no number comes last either way
        sort.press("Enter")
        page.locator(f"th[aria-sort={way}]").wait_for()
        expect(page.locator("[data-grid] tbody th").first).to_contain_text("Halvorsen")
    page.get_by_role("button", name="Company").click()
    come(page, "Halvorsen", "Northwind", "Solvik")
    page.locator("#filter").fill("marit")
    come(page, "Halvorsen")
    assert "1 of 3" in page.locator("[data-told]").inner_text()
    page.locator("#filter").fill("")
    page.locator("#only").select_option("supported")
    rows = page.locator("[data-grid] tbody th")
    expect(rows.filter(has_text="Northwind")).to_have_count(0)
    expect(rows.filter(has_text="Halvorsen")).to_have_count(1)


def test_cells_are_gone_through_chosen_and_copied_by_key(window):
    page = window(permissions=["clipboard-read", "clipboard-write"])
    page.goto(GRID)
    page.locator("[data-told]").wait_for(state="attached")
    page.get_by_role("button", name="Company").press("Enter")
    page.locator("th[aria-sort]").wait_for()
    page.keyboard.press("j")
    page.wait_for_function(f"{NOW}.startsWith('398,115')")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(NOW) == "Halvorsen Maritime plc"
    for key in ("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    assert "2 × 3 cells" in page.locator("[data-told]").inner_text()
    page.keyboard.press("ControlOrMeta+c")
    held = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert [line.split("\t")[0] for line in held] == [
        "Halvorsen Maritime plc",
        "Northwind Tugs AS",
    ]
    assert held[0].split("\t")[2].startswith("412,608") and held[1].endswith("N/A")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.locator("#panel .value", has_text="412,608").wait_for()
    page.keyboard.press("ArrowLeft")  # the panel goes along
    page.locator("#panel .value", has_text="398,115").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#panel").is_hidden()


def drawn(page):
    """The canvas of the plot of revenue."""
    page.goto(GRID)
    canvas = page.locator("[data-plot=line] canvas")
    canvas.wait_for()
    return canvas


def test_values_of_a_plot_are_said_and_opened_by_key(page):
    drawn(page).press("ArrowRight")
    said = page.locator("[data-plot=line] [role=status]")
    assert said.inner_text() == "Halvorsen Maritime plc, year: 2022, thousand EUR: 398,115"
    page.locator("[data-plot=line] canvas").press("ArrowRight")
    page.locator("[data-plot=line] canvas").press("Enter")
    page.locator("#panel .value", has_text="412,608").wait_for()


@pytest.mark.parametrize("finger", [False, True])
def test_a_point_of_a_plot_leads_to_its_source(window, finger):
    page = window(viewport={**WINDOW, "width": 700}, has_touch=finger)
    canvas = drawn(page)
    x, y = canvas.evaluate(
        "c => { const {x, y} = Chart.getChart(c).getDatasetMeta(0).data[1].getProps(['x', 'y']); return [x, y] }"
    )
    place = {"x": x, "y": y}
    if finger:  # a first tap only tells the value
        canvas.tap(position=place)
        assert page.url.endswith(GRID)
        canvas.tap(position=place)
    else:
        canvas.click(position=place)
    page.wait_for_url("**/answers/*")
    assert "412,608" in page.locator(".value").inner_text()


def test_without_script_the_values_of_a_plot_are_a_table_with_links(window):
    page = window(java_script_enabled=False)
    page.goto(GRID)
    values = page.locator("[data-plot=line] table")
    assert values.is_visible() and values.locator("a").count() == 2
    assert page.locator("[data-grid] td a", has_text="412,608").is_visible()


def test_columns_are_pasted_from_a_spreadsheet(window):
    page = window(permissions=["clipboard-read", "clipboard-write"])
    page.goto("/c/reports/grids-editor")
    page.locator("[data-more]:visible").wait_for()
    count = page.locator(".columns tbody tr").count()
    told = [["Revenue", "", "number", "EUR", "2023"], *[[f"Column {at}"] for at in range(count)]]
    lines = "\n".join(map("\t".join, told))
    page.evaluate("text => navigator.clipboard.writeText(text)", lines)
    page.locator("input[name=name]").first.press("ControlOrMeta+v")
    fields = page.locator(".columns tbody tr").first.locator("input, select")
    assert [field.input_value() for field in fields.all()] == told[0]
    assert page.locator("input[name=name]").last.input_value() == f"Column {count - 1}"
    assert page.locator(".columns tbody tr").count() == count + 1
