"""Questions in German and Swedish as English asks them; passages whose characters stay in their places."""

from dataclasses import replace
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from pincite.check.claims import verified
from pincite.check.standing_draft import standing
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.evidence.glossed_passages import glossed, restored
from pincite.lines.unnamed_document import unnamed
from pincite.question.understanding import understand
from pincite.recipes import quote
from pincite.text.gloss import asked, concept, glosses, stemmed_as
from pincite.text.words import words
from pincite.types import Anchor, Node, Quantity, Query

DE = "Der Vorstand der Beispiel AG ist seit dem 1. Mai 2021 Frau Muster. Im Jahr 2022 stieg der Umsatz auf 1.234,5 Mio. Euro."
SV = "Vid årets slut hade bolaget 1 268 anställda. Omsättningen uppgick till 3 842 mnkr och resultatet var 511 mnkr."


def passage(text, *codes, name="n"):
    return Passage(
        Node(name, "paragraph", text, Anchor("s", ((1, None),))), document="d", languages=codes
    )


def read(query, passages):
    """The first reading of some passages that the check lets stand."""
    nodes = {passage.node.id: passage.node for passage in passages}
    return standing(quote.read(query, passages), partial(verified, nodes=nodes))


def test_questions_by_hand():
    assert asked("Wie hoch war der Umsatz 2022?") == "how much is the Umsatz 2022?"
    assert asked("Wie viele Mitarbeiter hatte die Firma am 31. Dezember 2022?").startswith(
        "how many Mitarbeiter had the company"
    )
    assert asked("Wer ist Leiter der Abteilung Einkauf?").startswith("who is Leiter of")
    assert asked("Welchen Druck hat der Kessel?") == "how much Druck has the Kessel?"
    assert asked("Welche Firma baut den Kessel?") == "which company baut the Kessel?"
    assert asked("Darf der Kessel im Freien stehen?") == "can the Kessel in Freien stehen?"
    assert asked("Plant die Firma einen Neubau?") == "Does plant the company a Neubau?"
    assert asked("Hur stor var omsättningen 2022?") == "how much is omsättningen 2022?"
    assert asked("Vem är vd för bolaget?") == "who is vd for bolaget?"
    assert asked("Hur många anställda hade bolaget?") == "how many anställda had bolaget?"


def test_english_questions_stay():
    for question in (
        "What was the revenue in 2022?",
        "Who is chief executive of Die Wende AG?",
        "EBIT 2022?",
        "",
    ):
        assert asked(question) == question


def test_what_a_question_asks_for():
    def expects(text):
        return understand(Query(text)).expects

    assert (
        expects("Wie hoch war der Umsatz 2022?")
        == expects("Hur stor var omsättningen 2022?")
        == "number"
    )
    assert expects("Wer leitet den Einkauf?") == expects("Vem leder inköpet på bolaget?") == "name"
    assert (
        expects("Gilt die Vorschrift für den Neubau?")
        == expects("Gäller det för de nya husen?")
        == "boolean"
    )
    times = understand(Query("Wie hoch war der Umsatz im Jahr 2022?")).periods
    assert [one.year for one in times] == [2022]


def test_a_passage_keeps_every_character_in_its_place():
    (made,) = glossed([passage(DE, "de")])
    text = made.node.text
    assert len(text) == len(DE)
    assert text.startswith("The Vorstand of  Beispiel AG is  seit the 1  May 2021")
    assert text.find("Frau Muster") == DE.find("Frau Muster")
    assert "1  May 2021" in text and "1,234.5 Mio. Euro" in text
    (made,) = glossed([passage(SV, "sv")])
    assert "1,268 anställda" in made.node.text and "was     at   3,842 mnkr" in made.node.text


def test_other_languages_and_tables_stay():
    english = passage("The board was elected in 2021 and it has six members.", "en")
    assert glossed([english]) == [english]
    unknown = passage("The board was elected in 2021 and it has six members.")
    assert glossed([unknown]) == [unknown]
    assert glossed([passage(DE)])[0].node.text != DE


def test_what_is_found_is_quoted_as_the_passage_has_it():
    held = [passage(DE, "de")]
    (made,) = glossed(held)
    start = DE.index("1.234,5")
    where = Evidence(
        made.node,
        start=start,
        end=start + 17,
        quote="In Jahr 2022 rose  the Umsatz at  1,234.5 Mio. Euro.",
    )
    assert made.node.text[start : start + 17] == "1,234.5 Mio. Euro"
    one = Candidate(Quantity(1234, "EUR", text="1,234.5 Mio. Euro"), (where,))
    (back,) = restored([one], held)
    assert back.value.text == "1.234,5 Mio. Euro" and back.evidence[0].node.text == DE
    name = made.node.text.index("Frau")
    (back,) = restored(
        [Candidate("Frau Muster", (Evidence(made.node, start=name, end=name + 11),))], held
    )
    assert back.value == "Frau Muster"


@given(
    st.text(alphabet="abcdäöüß ,.0123456789DI\u00a0", max_size=80), st.sampled_from(["de", "sv"])
)
def test_any_text_keeps_its_length(text, code):
    assert len(glossed([passage(text, code)])[0].node.text) == len(text)


def test_words_of_reports_share_a_stem():
    assert words("Umsatzerlöse") == words("omsättningen") == words("revenue")
    assert words("Treibhausgasemissionen") == words("utsläpp") == words("emissions")
    assert concept("umsatzrendite") == "" and concept("bolag") == ""
    assert words("Übernachtungen") == words("Übernachtung")
    assert words("skatteintäkterna") == words("Skatteintäkter")
    assert stemmed_as("revenue") == stemmed_as("manufacturers") == ""


def test_words_of_the_table_are_words_of_the_language():
    for gloss in glosses().values():
        assert all(len(english) for several in gloss.words.values() for english in several)
        assert "" not in gloss.leading


def test_value_questions_are_answered_from_their_language():
    made = read(Query("Wie hoch war der Umsatz der Beispiel AG 2022?"), [passage(DE, "de")])
    assert made.value.amount == 1_234_500_000 and made.value.unit == "EUR"
    made = read(Query("Hur stor var omsättningen?"), [passage(SV, "sv")])
    assert made.value.amount == 3_842_000_000 and made.value.unit == "SEK"
    made = read(Query("Hur många anställda hade bolaget vid årets slut?"), [passage(SV, "sv")])
    assert made.value.amount == 1268


def test_words_that_name_the_document_are_not_asked_about():
    title = "Haus Beispiel: Bericht 2022"
    texts = (
        "Das Haus Beispiel ist eine Klinik mit 486 Betten.",
        "In der Klinik arbeiten 512 Pflegekräfte und 164 Ärzte.",
    )
    held = [replace(passage(text, "de", name=text[:3]), title=title) for text in texts]
    made = read(Query("Wie viele Pflegekräfte arbeiten im Haus Beispiel?"), held)
    assert made.value.amount == 512
    ask = understand(Query("Wie viele Pflegekräfte arbeiten im Haus Beispiel?"))
    assert unnamed(ask, held).text == "how many Pflegekräfte arbeiten in"
    english = understand(Query("How many nurses work at Haus Beispiel?"))
    assert unnamed(english, held) == english
