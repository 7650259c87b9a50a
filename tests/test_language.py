"""Languages told from words of grammar and endings."""

import pytest

from pincite.text.language import ENGLISH, evidence, language_of, languages, languages_of

SAID = {
    "en": "The company has grown and its sales were higher than in the year before, which was a good one for all of us.",
    "de": "Die Gesellschaft ist gewachsen, und der Absatz lag über dem des Vorjahres, das für alle ein gutes war.",
    "sv": "Bolaget har vuxit och försäljningen var högre än året innan, som blev ett gott år för alla som är med.",
    "da": "Selskabet er vokset, og salget var højere end året før, som blev et godt år for alle, der ikke solgte noget.",
    "no": "Selskapet har vokst, og salget var høyere enn året før, som ble et godt år for alle som ikke solgte noe.",
    "nl": "De onderneming is gegroeid en de omzet was hoger dan in het jaar ervoor, dat voor ons een goed jaar werd.",
    "fr": "La société a progressé et ses ventes ont été plus élevées que dans les années précédentes, qui étaient bonnes.",
    "es": "La empresa ha crecido y sus ventas fueron más altas que las del año anterior, que para todos fue muy bueno.",
    "it": "La società è cresciuta e le sue vendite sono state più alte di quelle dell'anno prima, che per tutti era buono.",
    "pt": "A empresa cresceu e as suas vendas foram mais altas do que as do ano passado, que não foi mau para todos.",
    "fi": "Yhtiö on kasvanut ja sen myynti oli suurempi kuin ennen, mutta kaikki eivät olleet mukana, koska se ei voi olla.",
}


@pytest.mark.parametrize("code", SAID)
def test_a_sentence_tells_its_language(code):
    assert language_of(SAID[code]) == code


def test_too_little_tells_nothing():
    assert language_of("") == ""
    assert language_of("1.234,5 | 2022 | EBIT") == ""
    assert language_of("A B C D E, d. l. n.") == ""


def test_only_the_given_ones_are_chosen():
    assert language_of(SAID["no"], among=("en", "sv"), enough=1.0) == "sv"
    assert language_of("Wie hoch war der Umsatz?", among=("en", "de", "sv"), enough=0.5) == "de"


def test_where_no_sentence_stands_endings_tell():
    words = "Rückstellungen Verbindlichkeiten Abschreibungen Vorauszahlungen Beteiligungen Aufwendungen Forderungen"
    assert language_of(words) == ""
    assert language_of(f"{words} Gesellschaft") == "de"


def test_a_page_in_two_languages_has_both_the_longer_first():
    assert languages_of([SAID["sv"], SAID["en"] + " " + SAID["en"]]) == ("en", "sv")
    assert languages_of([SAID["de"], SAID["de"], SAID["de"], SAID["de"], SAID["fr"]]) == ("de",)
    assert languages_of([]) == ()


def test_short_blocks_tell_a_page_together():
    assert languages_of(["Wie hoch", "ist der", "Umsatz für", "das Jahr", "und von wem"]) == (
        "de",
    )


def test_every_language_has_a_stemmer_and_words_of_its_own():
    import Stemmer

    for code, one in languages().items():
        assert one.stemmer in Stemmer.algorithms()
        assert not one.joints or one.compounds
        others = frozenset().union(
            *(other.words for name, other in languages().items() if name != code)
        )
        assert len(one.words - others) >= 20, code
    assert not languages()[ENGLISH].comma


def test_a_word_of_several_languages_counts_less():
    told = evidence("die")
    assert set(told) == {"de", "nl"} and told["de"] == 0.5
