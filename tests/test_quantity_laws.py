"""Laws that hold for every number."""

from decimal import Decimal as D

from hypothesis import given
from hypothesis import strategies as st

from pincite.quantity import convert, find, parse, periods, render, rounded, same
from pincite.types import Quantity

decimals = st.decimals(
    min_value=D("-1e12"), max_value=D("1e12"), allow_nan=False, allow_infinity=False, places=2
)
positive = st.decimals(min_value=D("0.01"), max_value=D("999999999.99"), places=2)
SCALES = {
    "": 1,
    " thousand": 10**3,
    " million": 10**6,
    " billion": 10**9,
    "bn": 10**9,
    " crore": 10**7,
    " Mio.": 10**6,
}
texts = st.lists(
    st.one_of(
        st.sampled_from(
            "the ( ) [ ] $ € % , . - – — \n to and between from million kWh tCO2e per /kWh x × GPT- Table 2019 Q3 "
            "3 45 1,234 12.5 (7) about ~ [12] March ½ 10^5 twenty five Rs. US$ -5 1.2.3 ±".split(
                " "
            )
        ),
        st.text(max_size=4),
    ),
    max_size=25,
)


@given(decimals, st.none() | positive)
def test_render_round_trips(value, width):
    if width is None:
        quantity = Quantity(value)
    else:
        low, high = value, value + width
        quantity = Quantity((low + high) / 2, low=low, high=high)
    back = parse(render(quantity))
    assert back is not None
    assert (back.value, back.low, back.high) == (quantity.value, quantity.low, quantity.high)


@given(
    positive,
    st.booleans(),
    st.sampled_from(sorted(SCALES)),
    st.sampled_from(["", "$", "€ ", "US$ "]),
)
def test_however_it_is_formatted_the_amount_is_the_same(value, negative, scale, currency):
    written = f"{value:,}"
    text = f"{currency}({written}){scale}" if negative else f"{currency}{written}{scale}"
    quantity = parse(text)
    assert quantity is not None
    assert quantity.amount == (-value if negative else value) * SCALES[scale]
    assert str(abs(quantity.value)) == str(value)


@given(positive)
def test_european_separators_read_the_same(value):
    if value < 1000:
        return
    european = f"{value:,}".translate(str.maketrans(",.", ".,"))
    quantity = parse(european)
    assert quantity is not None
    assert quantity.value == value


@given(
    positive, st.sampled_from(["kWh", "tCO2e", "%", "USD", "GPU hours", "L/kWh", "basis points"])
)
def test_what_parses_is_found_in_a_sentence(value, unit):
    alone = parse(f"{value} {unit}")
    found = find(f"It came to {value} {unit} overall.")
    assert [(f.quantity.value, f.quantity.unit) for f in found] == [(alone.value, alone.unit)]


@given(texts)
def test_find_never_overlaps_and_quotes_the_text(parts):
    text = " ".join(parts)
    end = 0
    for found in find(text):
        assert end <= found.start < found.end <= len(text)
        assert text[found.start : found.end] == found.quantity.text
        end = found.end
        if found.quantity.low is not None:
            assert found.quantity.low <= found.quantity.value <= found.quantity.high
    end = 0
    for period in periods(text):
        assert end <= period.start < period.end
        assert text[period.start : period.end] == period.text
        end = period.end


@given(texts)
def test_parse_never_fails(parts):
    quantity = parse("".join(parts))
    assert quantity is None or isinstance(quantity.value, D)


pairs = [
    ("kWh", "J"),
    ("lb", "t"),
    ("L/kWh", "gal/MWh"),
    ("mi", "km"),
    ("bp", "%"),
    ("GB", "TB"),
    ("$/h", "USD/day"),
]


@given(positive, st.sampled_from(pairs))
def test_there_and_back(value, pair):
    quantity = Quantity(value, pair[0])
    back = convert(convert(quantity, pair[1]), pair[0])
    assert same(quantity, back, rel=D("1e-12"))
    assert same(quantity, convert(quantity, pair[1]), lenient=True)


@given(decimals, decimals)
def test_same_is_reflexive_symmetric_and_sees_signs(a, b):
    one, other = Quantity(a), Quantity(b)
    assert same(one, one) and rounded(one, one)
    assert same(one, other) == same(other, one)
    if a:
        assert not same(one, Quantity(-a))


@given(decimals, st.integers(0, 2))
def test_rounding_gives_a_rounded_number(value, places):
    short = round(value, places)
    assert rounded(Quantity(short), Quantity(value)) or short == 0
