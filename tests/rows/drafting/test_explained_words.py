"""Which telling words of a question a statement accounts for."""

from pincite.rows.drafting.explained_words import ExplainedWords, explained_words
from pincite.rows.drafting.joins import completed
from pincite.rows.drafting.statement_tree import parsed
from pincite.rows.drafting.value_hints import value_hints


def explained(source, question, statement, encoder=None):
    tree = completed(parsed(statement, source.database), source.database)
    hints = value_hints(question, source)
    return explained_words(question, tree, source.database, hints, encoder)


def test_words_of_names_and_values_are_accounted_for(shop):
    said = explained(
        shop,
        "What is the region of customer Adler Bau?",
        "SELECT region FROM customer WHERE name = 'Adler Bau'",
    )
    assert [word for word, _, near in said.words if near == 1.0] == ["region", "customer"]
    assert (said.unmapped, said.least, said.mean) == ((), 1.0, 1.0)


def test_what_the_statement_does_is_accounted_for(shop):
    said = explained(
        shop, "What is the average order amount?", "SELECT AVG(order_amount_eur) FROM sales_order"
    )
    assert said.unmapped == () and said.least == 1.0


def test_a_word_that_nothing_is_about_is_left_over(shop, encoder):
    written = "SELECT region FROM customer WHERE name = 'Adler Bau'"
    said = explained(shop, "What is the astrology region of Adler Bau?", written, encoder)
    assert said.unmapped == ("astrology",) and said.least < 0.3
    (_, near), *_ = [(word, near) for word, _, near in said.words if word == "region"]
    assert near == 1.0 and ("region", "region") in said.mapping


def test_a_word_of_like_meaning_is_accounted_for_by_vectors(shop, encoder):
    written = "SELECT name FROM customer"
    assert explained(shop, "clients", written, encoder).mapping == (("clients", "customer"),)
    assert explained(shop, "clients", written).unmapped == ("clients",)


def test_nothing_telling(shop):
    assert explained(shop, "what is it", "SELECT 1") == ExplainedWords()
    assert (ExplainedWords().least, ExplainedWords().mean) == (1.0, 1.0)
    assert explained(shop, "zebra", "SELECT 1").unmapped == ("zebra",)
