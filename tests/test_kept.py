"""What is worked out of a value is kept beside it, and goes with it."""

import gc

from pincite.document.derived import kept
from pincite.types import Anchor, Node


def node(text):
    return Node("n", "paragraph", text, Anchor("s"))


def test_work_is_done_once_for_each_value_and_each_argument():
    done = []

    @kept
    def letters(of, count=2):
        done.append((of.text, count))
        return of.text[:count]

    first, second = node("alpha"), node("beta")
    assert [letters(first), letters(first), letters(first, 3), letters(second), letters(first, 3)] == [
        "al", "al", "alp", "be", "alp",
    ]  # fmt: skip
    assert done == [("alpha", 2), ("alpha", 3), ("beta", 2)]


def test_equal_values_are_told_apart():
    one, other = node("same"), node("same")
    made = kept(lambda of: [of.text])
    assert made(one) is made(one) and made(one) is not made(other)


def test_what_was_made_goes_with_its_value():
    class Made:
        count = 0

        def __init__(self):
            Made.count += 1

        def __del__(self):
            Made.count -= 1

    work = kept(lambda of: Made())
    held = node("here")
    work(held)
    assert Made.count == 1
    del held
    gc.collect()
    assert Made.count == 0


def test_a_failure_is_not_kept():
    asked = []

    @kept
    def fails_first(of):
        asked.append(of)
        if len(asked) == 1:
            raise ValueError("not yet")
        return len(asked)

    one = node("again")
    try:
        fails_first(one)
    except ValueError:
        pass
    assert fails_first(one) == 2
