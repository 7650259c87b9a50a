"""A grid filled, gone on with, filled again when the corpus changed, and corrected."""

import os
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal

import pytest

from pincite.errors import CorpusBusy, CorpusError, UsageError
from pincite.records.review import accept, comment, correct, withdraw
from pincite.workbench.grid import drop_grid, fill, grids, load_grid, pending, spec_from, spec_to
from pincite.workbench.grid.filled_cells import found
from pincite.workbench.grid.grid_state import State
from pincite.workbench.library import Library
from tests.served import question, right, serving
from tests.stand_ins.fakes import Reply
from tests.workbench.conftest import COMPANIES, write


def shown(grid):
    return [[one.text or one.status for one in line] for line in grid.cells]


def test_every_cell_has_value_status_and_proof(library, spec):
    folder, told = library.corpus.folder, []
    drop_grid(folder, "harbour")
    assert pending(spec, library) == 16
    grid = fill(spec, library, told.append)
    revenue = grid.cell("Fabrikam Docks", "Revenue")
    assert revenue.status == "supported" and revenue.value.value == Decimal(18022)
    assert revenue.unit == "thousand EUR"
    assert revenue.answer.citations[0].quote == "18,022,000"
    assert revenue.answer.citations[0].document == "fabrikam.md"
    assert grid.cell("Fabrikam Docks", "Operating profit").value.amount == -96_000
    assert [grid.cell(name, "Staff").value.value for name in COMPANIES] == [312, 1204, 77]
    assert grid.cell("Litware Cranes", "Chair").text == "Eva Brandt"
    assert grid.counts == {"supported": 12, "na": 4} and grid.answered == 16
    missing = grid.cell("Northwind Piers", "Revenue")
    assert missing.value is None
    assert missing.reason == "no document of the corpus belongs to Northwind Piers"
    assert [one.done for one in told] == list(range(17)) and told[-1].total == 16
    assert pending(spec, library) == 0 and load_grid(folder, "harbour").cells == grid.cells
    (listed,) = grids(folder)
    assert (listed.id, listed.rows, listed.columns, listed.finished) == ("harbour", 4, 4, True)


def test_nothing_is_answered_twice(library, spec, monkeypatch):
    first = load_grid(library.corpus.folder, "harbour")
    monkeypatch.setattr(Library, "answer_many", None)
    again = fill(spec, library)
    assert again.cells == first.cells and (again.answered, again.run) == (0, 1)


def test_a_changed_report_touches_its_row_alone(indexed, spec, reports):
    write(reports, "Litware Cranes", revenue="999")
    library = indexed()
    before = load_grid(library.corpus.folder, "harbour")
    assert pending(spec, library) == 4
    grid = fill(spec, library)
    assert grid.answered == 4 and shown(grid)[:2] == shown(before)[:2]
    moved = grid.cell("Litware Cranes", "Revenue")
    assert moved.text == "999 thousand EUR" and moved.moved.text == "905 thousand EUR"
    assert (moved.moved.status, moved.moved.why) == ("supported", "changed: litware.md")
    assert [one for line in grid.cells for one in line if one.moved] == [
        moved
    ]  # what came out the same did not move
    idle = fill(spec, library)  # nothing to answer: what moved last stays marked
    assert (idle.answered, idle.run, idle.cells) == (0, 2, grid.cells)
    write(reports, "Contoso Tugs", staff="5")
    assert (
        fill(spec, indexed()).cell("Litware Cranes", "Revenue").moved is None
    )  # it has not moved since that run


def test_new_reports_touch_the_rows_that_they_could_answer(indexed, spec, reports):
    write(reports, "Northwind Piers", staff="59")
    (reports / "note.md").write_text("# A note\n\nContoso Tugs sold a tug.\n")
    library = indexed((("northwind.md", "Northwind Piers"), ("note.md", "Contoso Tugs")))
    grid = fill(spec, library)
    assert grid.answered == 8
    staff = grid.cell("Northwind Piers", "Staff")
    assert staff.value.value == 59
    assert (staff.moved.text, staff.moved.why) == ("N/A", "new: northwind.md")


def test_rows_without_documents_of_their_own_depend_on_all(indexed, reports, library):
    question = {
        "name": "Staff", "type": "number", "question": "How many employees did {entity} have?",
    }  # fmt: skip
    sites = spec_from(
        {"title": "Sites", "entity": "site", "rows": ["Contoso Tugs"], "columns": [question]}
    )
    assert fill(sites, library).cell("Contoso Tugs", "Staff").value.value == 312
    write(reports, "Litware Cranes", chair="Someone Else")
    assert pending(sites, indexed()) == 1


def test_another_period_is_another_question(library):
    """What was found for one period is not shown under another, and columns that ask the same share their answer."""

    def revenue(*periods, names=("Revenue",)):
        asked = {"type": "number", "question": "What was the revenue of {entity}?"}
        columns = [{"name": name, **asked, "periods": list(periods)} for name in names]
        content = {"title": "Revenue", "rows": ["Contoso Tugs"], "columns": columns}
        return fill(spec_from(content), library)

    grid = revenue(2023)
    assert (grid.answered, shown(grid)) == (1, [["5,410,000"]])
    grid = revenue(2022)
    assert (grid.answered, shown(grid)) == (1, [["1,111,000"]])
    assert shown(revenue(2022, 2023)) == [["1,111,000", "5,410,000"]]
    grid = revenue(2021, names=("Revenue", "Sales"))
    assert (grid.answered, grid.counts) == (1, {"na": 2})


def test_a_new_column_is_answered_alone(library, spec):
    content = spec_to(spec)
    question = "What was the operating profit of {entity} in 2022?"
    content["columns"].append({"name": "Profit before", "type": "number", "question": question})
    grid = fill(spec_from(content), library)
    assert grid.answered == 4
    assert grid.cell("Contoso Tugs", "Profit before").value.amount == 222_000


def test_another_reader_answers_again(library, spec):
    assert pending(spec, Library(library.corpus.folder, replace(library.settings, pages=3))) == 16
    assert pending(spec, library) == 0


def test_a_stopped_run_goes_on_and_still_tells_what_moved(indexed, spec, reports):
    for company in COMPANIES:
        write(reports, company, revenue="123")
    library, told = indexed(), []
    part = fill(spec, library, told.append, stop=lambda: True)
    assert part.answered == 4 and not part.finished
    assert not grids(library.corpus.folder)[0].finished
    assert (
        part.cell("Litware Cranes", "Revenue").text == "905 thousand EUR"
    )  # until it is answered again
    told.clear()
    grid = fill(spec, library, told.append)
    assert told[0].reused == 8 and (grid.run, grid.answered, grid.finished) == (part.run, 8, True)
    assert [grid.cell(name, "Revenue").moved.text for name in COMPANIES] == [
        "5,410 thousand EUR", "18,022 thousand EUR", "905 thousand EUR"
    ]  # fmt: skip


KILLED = """
import os, sys
from pincite.workbench.grid import fill, spec_from
from pincite.workbench.library import Library
from tests.stand_ins.fakes import Reply
from pincite.settings import Settings
from tests.workbench.conftest import SPEC
fill(spec_from(SPEC), Library(sys.argv[1], Settings(threshold=0.2)), lambda one: os._exit(9) if one.done > 8 else None)
"""


def test_a_killed_run_loses_nothing_that_it_told(library, spec):
    folder, told = library.corpus.folder, []
    drop_grid(folder, "harbour")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(folder)], env={**os.environ, "PYTHONPATH": os.getcwd()}
    )
    assert killed.returncode == 9
    grid = fill(spec, library, told.append)
    assert told[0].reused >= 8 and grid.counts == {"supported": 12, "na": 4}


@pytest.mark.stress
def test_processes_share_the_rows(library, spec, monkeypatch):
    alone = load_grid(library.corpus.folder, "harbour")
    monkeypatch.setattr("pincite.workbench.grid.filling.WORTH", 0)
    drop_grid(library.corpus.folder, "harbour")
    assert fill(spec, library, processes=2).cells == alone.cells


def test_one_run_at_a_time(library, spec):
    def meanwhile(progress):
        with pytest.raises(CorpusBusy):
            fill(spec, library)

    fill(spec, library, meanwhile)


def test_a_correction_is_kept_until_its_document_changes(indexed, library, spec, reports):
    cell = load_grid(library.corpus.folder, "harbour").cell("Contoso Tugs", "Revenue")
    correct(
        library.corpus, cell.answer_id, "Ada", "5,401", note="a typing error in the report", topic=cell.topic,
    )  # fmt: skip
    comment(library.corpus, cell.answer_id, "Bo", "asked the company", topic=cell.topic)
    staff = load_grid(library.corpus.folder, "harbour").cell("Contoso Tugs", "Staff")
    accept(library.corpus, staff.answer_id, "Ada", topic=staff.topic)
    now = load_grid(library.corpus.folder, "harbour")
    said = now.cell("Contoso Tugs", "Revenue")
    assert (said.status, said.text, said.value.value) == ("corrected", "5,401 thousand EUR", 5401)
    assert said.answer.text == "5,410 thousand EUR"
    assert said.comments[0].note == "asked the company"
    assert now.cell("Contoso Tugs", "Staff").note.startswith("accepted by Ada")
    assert found(said) == "5,410 thousand EUR" and said.note.endswith("found: 5,410 thousand EUR")
    write(reports, "Litware Cranes", chair="Someone Else")
    assert fill(spec, indexed()).cell("Contoso Tugs", "Revenue") == said
    write(reports, "Contoso Tugs", revenue="5,411", staff="313")
    after = fill(spec, indexed())
    moved = after.cell("Contoso Tugs", "Revenue")
    assert (moved.status, moved.text) == ("supported", "5,411 thousand EUR")
    assert moved.moved.text == "5,410 thousand EUR"
    assert moved.note.startswith("a correction by Ada on ")
    assert "is not used: contoso.md has changed since" in moved.note
    assert "it has moved since" in after.cell("Contoso Tugs", "Staff").note


def test_a_correction_counts_for_the_cell_and_for_the_same_question_elsewhere(library, spec):
    cell = load_grid(library.corpus.folder, "harbour").cell("Contoso Tugs", "Staff")
    correct(library.corpus, cell.answer_id, "Ada", "313 employees", topic=cell.topic)
    asked = library.query(cell.query.text, cell.answer.query.where)
    told = library.ask(asked.text, asked.where)
    assert told.value.value == 313 and told.corrected.by == "Ada"
    correct(library.corpus, library.keep([told])[0], "Bo", "314 employees")
    again = load_grid(library.corpus.folder, "harbour").cell("Contoso Tugs", "Staff")
    assert (again.status, again.value.value, found(again)) == ("corrected", 314, found(cell))
    withdraw(library.corpus, cell.answer_id, "Bo", topic=cell.topic)
    assert (
        load_grid(library.corpus.folder, "harbour").cell("Contoso Tugs", "Staff").status
        == "supported"
    )
    assert library.ask(asked.text, asked.where).value.value == 312


def test_given_cells_are_not_asked(library, spec):
    drop_grid(library.corpus.folder, "harbour")
    grid = fill(
        replace(spec, rows=spec.rows[:1], given={("Contoso Tugs", "Revenue"): "5,400"}), library
    )
    given = grid.cell("Contoso Tugs", "Revenue")
    assert (given.status, given.value.value, given.unit) == ("given", 5400, "thousand EUR")
    assert grid.answered == 3


def test_no_such_grid_or_cell(library):
    with pytest.raises(UsageError, match="no grid 'piers' is kept .* known: harbour"):
        load_grid(library.corpus.folder, "piers")
    with pytest.raises(UsageError, match="has no cell 'Contoso Tugs', 'Profit'"):
        load_grid(library.corpus.folder, "harbour").cell("Contoso Tugs", "Profit")


def test_a_corpus_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "grids.sqlite").mkdir()
    with pytest.raises(CorpusError, match="kept beside its corpus"):
        State(tmp_path, "harbour")


def test_what_a_model_could_not_be_asked_is_asked_again(fresh_corpus, monkeypatch):
    monkeypatch.setattr(
        "pincite.models.endpoints.endpoint_limits.Patience.pause", lambda self, tried, told: 0.01
    )
    names = ("Equity", "Revenue")
    columns = [
        {"name": name, "type": "number", "question": question(name, 2023)} for name in names
    ]
    reports = spec_from(
        {"title": "Reports", "entity": "site", "rows": ["Halvorsen Maritime"], "columns": columns}
    )
    away = [True]

    def moody(asked):
        gone = away[0] and "Equity" in asked.said("user").split("Question:")[-1]
        return Reply("", status=503) if gone else right(asked)

    with serving(moody) as (_, settings):
        library = Library(fresh_corpus, settings)
        grid = fill(reports, library)
        assert grid.counts == {"supported": 1, "failed": 1} and "503" in grid.cells[0][0].note
        assert pending(reports, library) == 1
        away[0] = False
        told = []
        assert fill(reports, library, told.append).counts == {"supported": 2}
        assert told[0].reused == 1
