import string
import unicodedata
from random import Random

import pytest

from pincite.ingest.ocr.legibility import _codes, coded, illegible

ENGLISH = (
    "The board of directors reviewed the greenhouse gas emissions of the group and decided that every site should "
    "publish its energy consumption once a year, together with the share that comes from renewable sources."
)
OTHERS = (
    "Der Vorstand hat beschlossen, die Emissionen von Treibhausgasen bis zum Ende des Jahrzehnts um die Hälfte zu senken.",
    "Styrelsen har beslutat att halvera utsläppen av växthusgaser under det kommande årtiondet och redovisar dem varje år.",
    "Le conseil d'administration a décidé de réduire de moitié les émissions de gaz à effet de serre de toutes les usines.",
    "Hallitus päätti puolittaa kasvihuonekaasupäästöt seuraavan vuosikymmenen aikana ja julkaista energiankulutuksen vuosittain.",
    "Zarząd postanowił zmniejszyć o połowę emisję gazów cieplarnianych w ciągu następnych dziesięciu lat i publikować dane.",
    "El consejo decidió reducir a la mitad las emisiones de gases de efecto invernadero durante los próximos diez años.",
)


@pytest.mark.parametrize("text", [ENGLISH, *OTHERS])
def test_written_languages_are_legible(text):
    assert illegible(text) == ""


def test_accents_written_apart_from_their_letters_are_read_as_those_that_are_not():
    assert all(
        (_codes(unicodedata.normalize("NFD", text)) == _codes(text)).all() for text in OTHERS
    )


def exchanged(seed):
    others = list(string.ascii_lowercase)
    Random(seed).shuffle(others)
    return ENGLISH.lower().translate(str.maketrans(string.ascii_lowercase, "".join(others)))


def test_letters_exchanged_at_random_are_not():
    # two sentences of one alphabet in a hundred or so happen to look written; a page has ten times the letters
    told = [illegible(exchanged(seed)) for seed in range(300)]
    assert told.count("letters exchanged for others") >= 0.97 * len(told)
    assert set(told) <= {"", "letters exchanged for others"}


@pytest.mark.parametrize("shift", [1, 5, 13, 25])
def test_nor_is_an_alphabet_that_was_shifted(shift):
    shifted = "".join(
        chr((ord(c) - 97 + shift) % 26 + 97) if c.islower() else c for c in ENGLISH.lower()
    )
    assert illegible(shifted)


def test_unknown_and_private_characters():
    assert illegible("\ufffd" * 30 + " revenue 2021 ") == "characters that the font does not name"
    assert illegible("\ue001\ue002\ue003 " * 20) == "characters that the font does not name"
    assert illegible(ENGLISH + " \ufffd") == ""  # a bullet that has no name


LONGER = " ".join(
    (
        ENGLISH,
        "Auditors confirmed afterwards that nothing material was missing from what the managers had told.",
    )
)


@pytest.mark.parametrize(
    ("damaged", "why"),
    [
        (
            " ".join("".join(f"/g{ord(c)}" for c in word) for word in ENGLISH.split()),
            "names of glyphs instead of letters",
        ),
        (
            " ".join("".join(f"(cid:{ord(c)})" for c in word) for word in ENGLISH.split()),
            "names of glyphs instead of letters",
        ),
        (" ".join(word[::-1] for word in LONGER.split()), "words written backwards"),
        (LONGER.replace(" ", ""), "no spaces between words"),
        (" ".join(LONGER.replace(" ", "")), "spaces between the letters of words"),
        (
            " ".join((LONGER, LONGER, exchanged(1), exchanged(1))),
            "letters exchanged for others",
        ),  # one font of several
    ],
)
def test_other_ways_in_which_a_text_layer_fails(damaged, why):
    assert illegible(LONGER) == "" and illegible(damaged) == why


def test_what_looks_like_them_and_is_none_of_them():
    assert (
        illegible(
            "Donaudampfschifffahrtsgesellschaft und Kapitalerhaltungsgebot sind Themen des Berichts über das Jahr."
        )
        == ""
    )
    assert (
        illegible(
            " ".join(
                f"Let x be in A and y in B, then f x y is g {letter}." for letter in "abcdefghijkl"
            )
        )
        == ""
    )
    assert illegible(ENGLISH + " See /docs/g1.html and /docs/g2.html for details." * 20) == ""


def test_too_little_to_tell():
    assert illegible("") == illegible("qzx wvk 12 345") == illegible("12,345 67.8 " * 50) == ""


def test_other_scripts_are_not_judged():
    assert illegible("Совет директоров рассмотрел выбросы парниковых газов. " * 5) == ""


def test_a_words_code():
    assert coded("abz").tolist() == [0, 1, 2, 26, 0]
