import importlib
import random
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "checks"


@pytest.fixture
def modules(monkeypatch):
    import sys

    monkeypatch.syspath_prepend(str(BENCHMARKS))
    names = ("known", "written_reports", "given_golds", "check")
    yield {name: importlib.import_module(name) for name in names}
    for name in names:
        sys.modules.pop(name, None)


def test_every_known_number_stands_where_it_is_said_to(modules):
    report = modules["written_reports"].Report(random.Random(5))
    assert len(report.known) > 100 and len(report.facts) > 100
    for each in report.known:
        if each.cell is None:
            assert (
                each.node.text[each.start : each.end] == each.value.text
                and each.value.text in each.quote
            )
        else:
            cell = next(one for one in each.node.table.cells if (one.row, one.column) == each.cell)
            assert cell.text == each.value.text
            printed = modules["known"].number(cell.text)
            spent = (
                modules["written_reports"].is_expense(each.label)
                and printed < 0 < each.value.value
            )
            assert each.value.value == (
                -printed if spent else printed
            )  # what a statement deducts is what was spent


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$ (1,234.5)", "-1234.5"),
        ("12%", "12"),
        ("—", None),
        ("2019 restated", None),
        ("(9)%", "-9"),
        ("-", None),
    ],
)
def test_a_number_is_all_that_a_cell_holds(modules, text, value):
    found = modules["known"].number(text)
    assert found is None if value is None else str(found) == value


@pytest.mark.parametrize(
    ("text", "percent", "operation", "operands"),
    [
        ("(4.00 - 3.75)/3.75 ", True, "percentage_change", ["4.0", "3.75"]),
        ("828.8-885.3", False, "difference", ["828.8", "885.3"]),
        ("(2.7%+2.0%+1.0%)/3", True, "average", ["2.7", "2.0", "1.0"]),
        ("299,397/2,845,866", False, "ratio", ["299397", "2845866"]),
        ("$5 + 6", False, "sum", ["5", "6"]),
        ("2 x 3", False, "", []),
        ("(1 - 2) * 3", False, "", []),
    ],
)
def test_a_derivation_is_an_operation_over_its_numbers(
    modules, text, percent, operation, operands
):
    found, numbers = modules["given_golds"].derived(text, percent)
    assert (found, [str(one) for one in numbers]) == (operation, operands)


def gold(question, answer, scale="thousand", derivation=""):
    return {
        "question": question,
        "answer": answer,
        "scale": scale,
        "derivation": derivation,
        "answer_from": "table",
    }


def test_a_gold_is_right_where_it_stands_at_one_place_only(modules):
    from benchmarks.measuring import bare_table

    golds, rows = (
        modules["given_golds"],
        [["(in thousands)", "2020", "2019"], ["Sales", "$120", "$100"], ["Costs", "80", "100"]],
    )
    passages = tuple(bare_table.document_of(rows, []))
    case = golds.placed(gold("What were sales in 2020?", "$120"), rows, passages)
    assert (
        case.known[0].cell == (1, 1)
        and case.right.value.amount == 120_000
        and case.known[0].year == "2020"
    )
    assert len(case.around) == 4
    assert (
        golds.placed(gold("What were sales in 2019?", "100"), rows, passages)
        == "at no place or several"
    )
    total = golds.placed(
        gold("What is the sum of sales and costs in 2020?", 200, derivation="120+80"),
        rows,
        passages,
    )
    assert total.right.operation == "sum" and total.right.value.amount == 200_000
    assert [one.cell for one in total.known] == [(1, 1), (2, 1)]
    assert modules["check"].nearby(case, case.known[0], "year")[0].cell == (1, 2)
    assert modules["check"].answer(case, case.right).value is not None
