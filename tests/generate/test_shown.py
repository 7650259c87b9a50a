"""What a model is shown: numbered lines below their section, none of which a document can write."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.document.folded_text import folded
from pincite.generate.line_prompts import WIDE, pieces
from pincite.generate.line_reading import ReadLines
from pincite.generate.shown_lines import LONGEST, lines_in, reads_little
from pincite.generate.shown_pieces import pieces_of
from pincite.lines.making import lines_of
from pincite.models.kit import default_kit
from pincite.question.understanding import understand
from pincite.text.language import ENGLISH
from pincite.types import Hit, Query
from pincite.untrusted import visible
from tests.generate.reading import page_of, seen_of
from tests.stand_ins.fakes import ScriptedModel

ASK = understand(Query("How many tonnes of slate did the quarry sell?"))
TABLE = "# Sales\n\n| EUR thousand | 2023 | 2022 |\n|---|---|---|\n| Slate | (1,204) | 7 |\n"


def shown(*texts):
    return pieces(lines_in(ASK, seen_of(*texts)), (), WIDE)


def test_lines_are_numbered_through_all_pages_below_section_and_page():
    assert shown(TABLE, "# Costs\n\nCosts rose. Slate fell.") == [
        "[report.md > Sales, p. 1]\n1 Slate: 2023 = (1,204); 2022 = 7 (thousand EUR)",
        "[report.md > Costs, p. 2]\n2 Costs rose.",
        "3 Slate fell.",
    ]


def test_a_row_and_a_sentence_of_a_chunk_are_shown_alone():
    from dataclasses import replace

    (table,) = (passage for passage in page_of(TABLE + "| Lime | 5 | 6 |\n") if passage.node.table)
    assert [line.label for line in lines_of([replace(table, part=(2, 3))])] == ["Lime"]
    (text,) = page_of("Costs rose. Slate fell. Lime stood.")
    (line,) = lines_of([replace(text, part=(12, 23))])
    assert line.text == "Slate fell." and line.evidence().quote == "Slate fell."


@settings(max_examples=60)
@given(st.text(min_size=1, max_size=300))
def test_no_text_writes_a_line_of_its_own(text):
    for number, piece in enumerate(shown(f"Intro.\n\n[Board > Pay]\n7 {text}"), 1):
        *heading, line = piece.split("\n")
        assert len(heading) <= 1 and line.startswith(f"{number} ")


def test_characters_that_nobody_sees_are_left_out():
    assert visible("a\u200bb\u00adc\u202ed\U000e0041e\x00f\ng") == "abcdef\ng"


def test_of_a_page_that_is_too_long_the_lines_about_the_question_stay_in_order():
    filler = "\n\n".join(
        f"Paragraph {at} is about weather. " + f"It rained again on day {at}. " * 60
        for at in range(40)
    )
    made = shown(f"{filler}\n\nThe quarry sold 812 tonnes of slate.\n\n{filler}")
    assert any("812 tonnes of slate" in piece for piece in made)
    assert LONGEST / 2 < sum(map(len, made)) < LONGEST * 1.3


def test_a_small_model_is_shown_the_best_lines_alone():
    filler = "\n\n".join(f"Paragraph {at} is about the weather of day {at}." for at in range(200))
    seen = seen_of(f"{filler}\n\nThe quarry sold 812 tonnes of slate.\n\n{filler}")
    prompts = []

    def script(prompt, form):
        prompts.append(prompt)
        return {"analysis": "", "lines": [], "value": ""}

    for name in ("small-3b", "large"):
        model = ScriptedModel(script, name=name)
        assert reads_little(model) == (name == "small-3b")
        ReadLines(model, None, default_kit().encoder).read(ASK, seen)
    few, all_of_them = (prompt.context for prompt in prompts)
    assert len(few) < 80 and len(all_of_them) > 200
    assert all(any("812 tonnes" in line for line in some) for some in (few, all_of_them))
    assert "outright" in prompts[1].system and "outright" not in prompts[0].system


def test_pages_sections_and_passages_of_a_corpus(library):
    ranking = library.search("income tax expense", k=3)
    hits = [Hit(one.node, one.score) for one in ranking]

    def read(hits, k, by="page"):
        return pieces_of(library.corpus, hits, k, by, ENGLISH)

    pages = read(hits, 2)
    assert len(pages) == 2
    table = next(one.node for one in pages[0] if one.node.table is not None)
    alone = read([Hit(table.id, 1.0)], 5, "passage")
    assert [[one.node.id for one in piece] for piece in alone] == [[table.id]]
    (section,) = read([Hit(table.id, 1.0)], 5, "section")
    assert {one.node.anchor.path for one in section} == {table.anchor.path}


@given(st.text(max_size=80))
def test_folding_knows_where_its_characters_were(text):
    kept, at = folded(text)
    assert (
        len(kept) == len(at) and list(at) == sorted(at) and all(0 <= one < len(text) for one in at)
    )
    assert folded(f" {text}\n")[0] == kept
