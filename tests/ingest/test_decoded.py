import pytest

from pincite.ingest.layout.raised_marks import raised
from pincite.ingest.text_encoding import decoded

RUSSIAN = "Выручка компании выросла на двенадцать процентов по сравнению с прошлым годом. " * 4


@pytest.mark.parametrize(
    ("data", "declared", "markup", "text"),
    [
        ("Köln".encode(), "", False, "Köln"),
        ("Köln".encode("utf-8-sig"), "", False, "Köln"),
        ("Köln".encode("utf-16"), "", False, "Köln"),
        ("Köln liegt am Rhein".encode("cp1252"), "", False, "Köln liegt am Rhein"),
        ("Łódź".encode("cp1250"), "windows-1250", False, "Łódź"),
        (
            '<meta charset="iso-8859-2"><p>Łódź'.encode("iso-8859-2"),
            "",
            True,
            '<meta charset="iso-8859-2"><p>Łódź',
        ),
        (b"a\r\nb\rc", "", False, "a\nb\nc"),
        (b"plain", "no-such-encoding", False, "plain"),
        (b"caf\xe9", "hex", False, "caf\u00e9"),
        (RUSSIAN.encode("cp1251"), "", False, RUSSIAN),
    ],
)
def test_bytes_are_read_as_what_they_are(data, declared, markup, text):
    assert decoded(data, declared, markup=markup) == text


def test_wide_text_without_a_mark_is_known_by_its_zeros():
    text = "Revenue rose by 12 percent in the year. " * 20
    assert decoded(text.encode("utf-16-le")) == text
    assert decoded(text.encode("utf-16-be")) == text


@pytest.mark.parametrize(
    ("before", "text", "adds"),
    [
        ("4,521 km", "2", "²"),
        ("m", "3", "³"),
        ("in 10", "6", "^6"),
        ("4,521", "1", ""),
        ("Revenue", "(1)", ""),
        ("Revenue", "1, 2", ""),
        ("Revenue", "*", ""),
        ("the 1", "st", "st"),
        ("", "1", "1"),
    ],
)
def test_a_footnote_mark_is_no_part_of_what_it_hangs_on(before, text, adds):
    assert raised(before, text) == adds
