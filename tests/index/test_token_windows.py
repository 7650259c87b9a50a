import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.models.encoder import MiniLM
from pincite.models.text_parts import token_windows
from pincite.search.index.token_windows import TokenWindows
from pincite.types import Anchor, Document, Node
from tests.stand_ins.fakes import HashEncoder

WORDS = HashEncoder()


class Pairs:
    """Cuts every word into tokens of two letters."""

    def spans(self, text):
        out, at = [], 0
        for word in text.split():
            at = text.index(word, at)
            out += [(at + i, min(at + i + 2, at + len(word))) for i in range(0, len(word), 2)]
            at += len(word)
        return out


def document(*texts):
    pages = (
        Node(f"p{n}", "page", text, Anchor("s", ((n, None),)), "root")
        for n, text in enumerate(texts, 1)
    )
    return Document("report.pdf", "v", nodes=(Node("root", "document", "", Anchor("s")), *pages))


def test_windows_of_tokens_inside_pages():
    made = TokenWindows(WORDS, tokens=4, overlap=1)(
        document("one two three four five six seven", " ", "eight, nine.")
    )
    assert [(entry.node, entry.at, entry.text) for entry in made] == [
        ("p1", 0, "one two three four"), ("p1", 1, "four five six seven"), ("p3", 0, "eight, nine."),
    ]  # fmt: skip


def test_words_are_not_cut_in_two():
    # ab|cd ef gh|ij klm: a window of four tokens would end inside "ghij", and one of overlap 1 begin inside "klm"
    text = "abcd ef ghij klm n op"
    made = [text[start:end].strip() for start, end in token_windows(text, Pairs().spans, 4, 1)]
    assert made == ["abcd ef", "ef ghij", "ghij klm", "klm n op"]


def test_a_word_longer_than_a_window_is_cut():
    assert [s for s in token_windows("abcdefgh", Pairs().spans, 2, 0)] == [(0, 4), (4, 8)]


def test_a_header_and_no_tables():
    table = Node("t", "table", "1 2 3 4", Anchor("s", ((1, None),)), "root")
    one = document("before\n1 2 3 4\nafter")
    one = Document(one.id, one.version, nodes=(*one.nodes, table))
    (entry,) = TokenWindows(WORDS, tokens=9, overlap=0, header=True, without=("table",))(one)
    assert entry.text == "report\nbefore\n\nafter"


def test_the_built_in_encoder_counts_its_own_tokens():
    text = "Total Scope-1 emissions: 12.5 tCO2e"
    tokens = [text[start:end] for start, end in MiniLM().spans(text)]
    assert tokens == "Total Scope - 1 emissions : 12 . 5 tC O 2 e".split()
    assert len(MiniLM().spans("word " * 700)) == 700


def test_windows_fit_the_built_in_encoder():
    text = "The plant at Tampere emitted 12.5 tCO2e in 2023 (unaudited). " * 60
    for start, end in token_windows(text, MiniLM().spans, 254, 20):
        assert len(MiniLM().spans(text[start:end])) <= 254


def test_overlap_must_be_less_than_the_window():
    with pytest.raises(ValueError, match="overlap 5"):
        list(token_windows("a b", WORDS.spans, 5, 5))


TEXTS = st.lists(st.text("ab .\n", max_size=60), max_size=4)


@pytest.mark.parametrize("by", [WORDS, Pairs()])
@given(texts=TEXTS, size=st.integers(1, 9), data=st.data())
def test_windows_stay_in_their_page_and_cover_it(by, texts, size, data):
    overlap = data.draw(st.integers(0, size - 1))
    made = list(TokenWindows(by, size, overlap)(document(*texts)))
    for number, text in enumerate(texts, 1):
        mine = [entry for entry in made if entry.node == f"p{number}"]
        assert [entry.at for entry in mine] == list(range(len(mine)))
        assert all(entry.text in text and len(by.spans(entry.text)) <= size for entry in mine)
        spans = list(token_windows(text, by.spans, size, overlap))
        assert {at for start, end in spans for at in range(start, end)} == (
            set(range(len(text))) if text.strip() else set()
        )
    assert made == list(TokenWindows(by, size, overlap)(document(*texts)))


@given(texts=TEXTS, size=st.integers(1, 9), data=st.data())
def test_each_window_but_the_last_overlaps_by_as_many_tokens(texts, size, data):
    overlap = data.draw(st.integers(0, size - 1))
    text = " ".join(texts)
    spans = list(token_windows(text, WORDS.spans, size, overlap))
    counts = [
        len(WORDS.spans(text[after[0] : before[1]]))
        for before, after in zip(spans, spans[1:], strict=False)
    ]
    assert counts == [overlap] * len(counts)
