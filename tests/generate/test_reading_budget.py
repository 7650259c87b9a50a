"""What a small model is shown of the pages: the passages and rows that share most with the question, within its budget."""

import re
from dataclasses import replace

from pincite.generate.reading import Read
from pincite.generate.reading_budget import (
    FRAME,
    SMALL_READS,
    first_within,
    form_for,
    reading_budget,
    within,
)
from pincite.generate.shown_pages import ShownPieces
from pincite.ledger import metered
from pincite.models.endpoints.chat import ChatModel
from pincite.models.endpoints.exchange import ReplySettings
from pincite.models.endpoints.windows import approximate
from pincite.question.understanding import understand
from pincite.types import Hit, Query, Ranking
from tests.generate.reading import page_of
from tests.stand_ins.fakes import ScriptedModel

ROWS = "\n".join(f"| Site {at} | {at * 31} | {at * 17} |" for at in range(1, 90))
PAGES = (
    page_of("The company runs ships.\n\nIts board met nine times and talked of weather. " * 12, 1),
    page_of(f"Waste of the sites (tonnes)\n\n| | 2023 | 2022 |\n|---|---|---|\n{ROWS}", 2),
    page_of("The harbour at Narrow Point was dredged in May 2021 by the crew of the Brisa.", 3),
)


def chosen(question, budget):
    """The numbers of the pages that are shown, and their texts."""
    pages = within(PAGES, budget, understand(Query(question)))
    return [page[0].rank for page in pages], "\n".join(ShownPieces(pages).pieces)


def test_the_passages_that_share_rare_words_with_the_question_are_shown_in_the_order_of_the_pages():
    pages, text = chosen("Who dredged the harbour at Narrow Point?", 120)
    assert 2 in pages and "crew of the Brisa" in text and pages == sorted(pages)
    assert approximate(text) < 220


def test_of_a_long_table_the_rows_around_the_best_are_shown_under_the_header():
    pages, text = chosen("What was the waste of Site 57 in 2022?", 250)
    assert 1 in pages and "| 2023 | 2022 |" in text and "| Site 57 | 1767 | 969 |" in text
    assert "Site 56" in text and "Site 3 |" not in text and "Site 89" not in text
    shown = within(PAGES, 250, understand(Query("What was the waste of Site 57 in 2022?")))
    seen = ShownPieces(shown)
    (number,) = seen.tables
    row = next(line for line in text.split("\n") if "Site 57" in line).split("|")[1].strip()
    passage, (at, column) = seen.cell(f"T{number}!C{row}")
    cells = {(cell.row, cell.column): cell.text for cell in passage.node.table.cells}
    assert cells[at, column] == "969", "its handles are those of the whole table"


def test_all_is_shown_where_it_fits():
    assert within(PAGES, 10_000, understand(Query("What was the waste of Site 57?"))) == PAGES


def test_pieces_that_stand_in_the_order_of_rank_are_shown_from_the_first_on():
    pieces = tuple(page_of("A sentence of seven words stands here. " * 5, at) for at in (1, 2, 3))
    size = FRAME + 1 + approximate("A sentence of seven words stands here. " * 5)
    assert first_within(pieces, 2 * size) == pieces[:2]
    assert first_within(pieces, 10) == pieces[:1]


def test_models_below_eight_billion_parameters_read_less_than_others(library):
    small, large = ScriptedModel(lambda *_: {}, name="qwen2.5:1.5b"), ScriptedModel(lambda *_: {})
    assert (reading_budget(small), reading_budget(large)) == (SMALL_READS, None)
    seen = []

    def script(prompt, form):
        seen.append(prompt)
        return {"analysis": "", "step_by_step_analysis": "", "value": "N/A"}

    query = Query("What was the income tax expense?")
    found = library.search(query.text, k=8)
    ranking = Ranking(query, tuple(Hit(hit.node, 1.0) for hit in found))
    notes = []
    for name in ("qwen2.5:1.5b", "some-model"):
        with metered() as meter:
            Read(ScriptedModel(script, name=name), library.corpus, k=8).run(ranking)
        notes.append(meter.notes)
    (note,), none = notes
    assert not none
    assert re.fullmatch(r"a small model is shown \d+ of \d+ passages", note)
    few, many = (sum(map(approximate, prompt.context)) for prompt in seen)
    assert few < 1.4 * SMALL_READS < many


def test_a_model_with_a_narrow_window_fills_in_short_forms():
    model = ChatModel("m", "http://127.0.0.1:1/v1", settings=ReplySettings(window=4096))
    assert form_for(model, "full") == "short"
    assert form_for(replace(model, settings=ReplySettings(window=8192)), "full") == "full"
    assert form_for(replace(model, settings=ReplySettings()), "full") == "full"
