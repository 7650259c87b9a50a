import pytest

from pincite.question.classes import complexity, question_class, text_or_table
from pincite.stage import Route, Stage
from pincite.types import Query, Ranking


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("How many GPU hours did training take?", "table_extraction"),
        ("What batch size was used?", "table_extraction"),
        ("Which accuracy does Llama reach?", "score_extraction"),
        ("How much energy does Mixtral need?", "model_specific"),
        ("What is the name of the data centre?", "term_extraction"),
        ("Which framework was used?", "term_extraction"),
        ("What percentage of the water is recycled?", "numeric_counting"),
        ("Why did emissions rise?", "general"),
        ("Did customers adopt it in a stable way?", "general"),
    ],
)
def test_the_six_classes(text, label):
    assert question_class(Query(text)) == label
    assert complexity(Query(text)) == ("general" if label == "general" else "complex")


def test_text_or_table():
    assert text_or_table(Query("How much water was used in 2022?")) == "table"
    assert text_or_table(Query("What does Table 3 show?")) == "table"
    assert text_or_table(Query("Why did the board change its policy?")) == "text"


def test_labels_route_queries_and_rankings():
    class Label(Stage):
        def __init__(self, name):
            self.name = name

        def run(self, given):
            return self.name

    by_class = Route(
        by=complexity, to={"complex": Label("ten pages"), "general": Label("seven pages")}
    )
    assert by_class(Ranking(Query("How many are there?"), ())) == "ten pages"
    by_place = Route(by=text_or_table, to={"text": Label("prose"), "table": Label("rows")})
    assert by_place(Query("Why did the board change its policy?")) == "prose"
