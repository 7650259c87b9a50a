import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pincite.formats.encoding import (
    answer_from,
    answer_to,
    dumps,
    node_from,
    node_to,
    value_from,
    value_to,
)  # fmt: skip
from pincite.types import (
    Anchor,
    Answer,
    Cell,
    Check,
    Citation,
    Node,
    Possible,
    Quantity,
    Query,
    Reading,
    Table,
)

# coordinates are kept to a hundredth of a point
edges = st.integers(0, 100_000).map(lambda n: n / 100)
boxes = st.none() | st.tuples(edges, edges, edges, edges)
texts = st.text(max_size=20)
numbers = st.decimals(allow_nan=False, allow_infinity=False)
cells = st.builds(
    Cell, st.integers(0, 9), st.integers(0, 9), texts, st.integers(1, 3), st.integers(1, 3), boxes
)
tables = st.builds(
    Table, st.lists(cells, max_size=4).map(tuple), st.integers(0, 2), st.integers(0, 2), texts, numbers, texts, texts,
    st.integers(0, 9), boxes,
)  # fmt: skip
anchors = st.builds(
    Anchor, texts, st.lists(st.tuples(st.integers(1, 99), boxes), max_size=3).map(tuple),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3).map(tuple), texts, texts,
)  # fmt: skip
nodes = st.builds(
    Node, texts, st.sampled_from(["paragraph", "table"]), texts, anchors, texts, st.integers(0, 99), st.none() | tables,
    st.dictionaries(texts, st.lists(st.integers())),
)  # fmt: skip
quantities = st.builds(
    Quantity, numbers, texts, numbers, st.none(), st.none(), st.booleans(), texts, texts
) | st.builds(Quantity, numbers, texts, numbers, numbers, numbers)
values = st.recursive(
    st.none() | st.booleans() | texts | quantities | tables,
    lambda inner: st.lists(inner, max_size=3).map(tuple),
)
pairs = st.lists(st.tuples(texts, texts), max_size=2).map(tuple)
several = st.lists(texts, max_size=2).map(tuple)
readings = st.builds(Reading, texts, texts, texts, pairs, several, texts)
citations = st.builds(Citation, texts, texts, anchors, texts, texts)
alone = st.builds(
    Answer,
    st.builds(
        Query,
        texts,
        st.lists(st.tuples(texts, st.lists(texts, max_size=2).map(tuple)), max_size=2).map(tuple),
        refines=several,
    ),
    texts,
    values,
    st.lists(citations, max_size=2).map(tuple),
    st.lists(
        st.builds(Check, texts, st.sampled_from(["supported", "computed"]), texts, texts),
        max_size=2,
    ).map(tuple),
    st.floats(0, 1),
    texts,
    st.lists(st.builds(Possible, values, st.none() | citations, st.floats(0, 1)), max_size=2).map(
        tuple
    ),
    several,
    st.none() | readings,
)
answers = alone | st.builds(
    replace, alone, others=st.lists(alone, max_size=1).map(tuple), date=texts
)


@given(nodes)
def test_nodes_round_trip(node):
    assert node_from(json.loads(dumps(node_to(node)))) == node


@given(values)
def test_values_round_trip(value):
    made = value_from(json.loads(dumps(value_to(value))))
    assert made == value and repr(made) == repr(value)  # digits too: Decimal("0.10") stays 0.10


@given(answers)
def test_answers_round_trip(answer):
    assert answer_from(json.loads(dumps(answer_to(answer)))) == answer


def test_an_answer_stored_with_bare_alternatives_opens():
    stored = answer_to(Answer(Query("?"), "", None, possible=(Possible(True, None, 0.5),)))
    stored = {name: held for name, held in stored.items() if name != "possible"} | {
        "alternatives": [False, "a"]
    }
    assert answer_from(stored).possible == (Possible(False, None, 0.0), Possible("a", None, 0.0))
