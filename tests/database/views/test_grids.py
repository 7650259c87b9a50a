"""Views of tables of records that stand in documents."""

from pincite.database.views.clean_view import with_views
from pincite.database.views.grid_views import views_of_grid


def test_a_grid_has_a_view_whose_rows_are_numbered():
    rows = [
        ["Site code", "Country", "Value (EUR)", "Rm [MPa]"],
        ["00417", "NA", "1.250,00", "210 max"],
        ["00418", "BW", "450,50-", "195"],
        ["02003", "", "980,00", "n/a"],
        ["00220", "NE", "20,00", "188"],
        ["Total", "", "1.799,50", ""],
    ]
    source, views = views_of_grid(rows)
    with source:
        (view,) = views
        assert (view.name, view.key, view.total_rows) == ("records", ("row_id",), 1)
        columns = "row_id, site_code, country, value, tensile_strength, tensile_strength_note"
        statement = f"SELECT {columns} FROM records ORDER BY row_id"
        assert source.run(with_views(statement, views)).rows == (
            (1, "00417", "NA", 1250.0, 210, "max"), (2, "00418", "BW", -450.5, 195, None),
            (3, "02003", None, 980.0, None, None), (4, "00220", "NE", 20.0, 188, None),
        )  # fmt: skip
        assert (view.column("value").unit, view.column("tensile_strength").unit) == ("EUR", "MPa")


def test_grids_without_rows_or_headings():
    for rows in ([], [[]], [["a", "b"]]):
        source, views = views_of_grid(rows)
        with source:
            assert len(views) == bool(rows and rows[0])
