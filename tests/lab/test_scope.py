from pincite.lab.experiments.question_scope import is_scope, within
from pincite.types import Example, Query

NAMES = [f"r{n}.pdf" for n in range(8)]


def asked(where=(), **gold):
    return Example("1", Query("Why?", where=where), None, (), {"gold": gold})


def names(where):
    ((field, found),) = where
    assert field == "document"
    return set(found)


def test_what_says_how_much():
    assert all(map(is_scope, ("own", "all", 0.5)))
    assert not any(map(is_scope, (0, 1, 0.0, 1.0, 1.5, True, "half", None, [0.5])))


def test_all_and_own():
    own = asked((("document", ("r1.pdf",)),))
    assert within(own, "all", NAMES) == () and within(own, "own", NAMES) == own.query.where
    assert within(asked(), "own", NAMES) == ()


def test_shares_are_nested_and_hold_the_questions_own_documents():
    own = asked((("document", ("R1", "r2.pdf")),))
    quarter, half, most = (names(within(own, share, NAMES)) for share in (0.25, 0.5, 0.99))
    assert {"r1.pdf", "r2.pdf"} <= quarter <= half <= most == set(NAMES)
    free = asked()
    assert [len(names(within(free, share, NAMES))) for share in (0.01, 0.25, 0.26, 0.5)] == [
        1,
        2,
        3,
        4,
    ]
    assert within(free, 0.5, NAMES) == within(free, 0.5, NAMES[::-1])
    assert half == names(within(free, 0.5, NAMES)) | {"r1.pdf", "r2.pdf"}


def test_where_no_document_is_named_the_judged_ones_are_the_questions_own():
    judged = asked(qrels={"r3": 2, "r4": 0})
    assert names(within(judged, 0.01, NAMES)) - names(within(asked(), 0.01, NAMES)) <= {"r3.pdf"}
    assert "r3.pdf" in names(within(judged, 0.01, NAMES))
    blank = asked(ref_id="is_blank")
    assert within(blank, 0.5, NAMES) == within(asked(), 0.5, NAMES)
