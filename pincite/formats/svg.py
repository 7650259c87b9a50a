"""Plots as SVG text, drawn by a few functions of our own: lines and points over two axes, and values with their spans in rows.

Colours come from the page: an element of class `c3` has the colour of the fourth run, and a shape of its own, so that runs can
be distinguished without colour. Nothing is drawn outside the frame; legends stand beside a plot, never in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape

WIDTH, HEIGHT = 520, 330
LEFT, RIGHT, TOP, BOTTOM = 64, 18, 14, 52
HUES = 8
Range = tuple[float, float]
_ALMOST = Decimal("1e-9")
"""The part of a step by which a value may miss a tick and count as on it."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: what it counts with its unit, its ends (None: those of the data), and whether it is logarithmic."""

    label: str
    ends: Range | None = None
    log: bool = False


@dataclass(frozen=True, slots=True)
class PlotSeries:
    """Points in one colour, from left to right, with the spans of their y and what each tells when pointed at.

    `shift` moves them sideways, in units of the picture, so that those at one place are seen apart.
    """

    hue: int
    points: tuple[tuple[float, float], ...]
    spans: tuple[Range, ...] = ()
    told: tuple[str, ...] = ()
    line: bool = True
    marks: bool = True
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of `rows`: its label, and (hue, value, low, high, strong) of what is marked on it."""

    label: str
    values: tuple[tuple[int, float, float, float, bool], ...]


def figure(value: float) -> str:
    """A figure as text: three decimals below ten, no sign before a zero, a dash for none."""
    if not math.isfinite(value):
        return "–"
    digits = 3 if abs(value) < 10 else 1 if abs(value) < 1000 else 0
    text = f"{value:,.{digits}f}"
    return text.lstrip("-") if not float(text.replace(",", "")) else text.replace("-", "−")


def plot(
    title: str, x: Axis, y: Axis, series: Sequence[PlotSeries], diagonal: bool = False
) -> str:
    """Series over two axes; `diagonal` draws where y equals x."""
    kept = [each for each in series if each.points]
    xs = [point[0] for each in kept for point in each.points]
    ys = [point[1] for each in kept for point in each.points] + [
        end for each in kept for span in each.spans for end in span if math.isfinite(end)
    ]
    pad = 0 if x.ends else 16
    x_ticks, across = _scale(x, xs, LEFT + pad, WIDTH - RIGHT - pad)
    y_ticks, up = _scale(y, ys, HEIGHT - BOTTOM, TOP)
    body = [_grid(x_ticks, y_ticks, across, up), _labels(x.label, y.label)]
    if diagonal:
        body.append(
            f'<path class="even" d="M{across(0):.1f} {up(0):.1f}L{across(1):.1f} {up(1):.1f}"/>'
        )
    body += [_series(each, across, up) for each in kept]
    return _svg(title, WIDTH, HEIGHT, body)


def rows(
    title: str, axis: Axis, bars: Sequence[Bar], zero: bool = False, width: int = WIDTH
) -> str:
    """Values with their spans, one row a bar; `zero` draws a line where there is no difference."""
    hues = max((len(bar.values) for bar in bars), default=1)
    height = 14 * hues + 12
    left = min(250, max(60.0, *(7.4 * min(len(bar.label), 30) for bar in bars)) + 24)
    bottom = TOP + height * len(bars)
    found = [
        end
        for bar in bars
        for _, value, low, high, _ in bar.values
        for end in (value, low, high)
        if math.isfinite(end)
    ]
    ticks, across = _scale(axis, [*found, 0.0] if zero else found, left, width - RIGHT, 8)
    body = [
        f'<path class="grid" d="M{across(at):.1f} {TOP}V{bottom}"/>'
        f'<text class="tick" x="{across(at):.1f}" y="{bottom + 18}" text-anchor="middle">{text}</text>'
        for at, text in ticks
    ]
    body.append(
        f'<text class="axis" x="{(left + width - RIGHT) / 2:.1f}" y="{bottom + 40}" text-anchor="middle">'
        f"{escape(axis.label)}</text>"
    )
    if zero:
        body.append(f'<path class="zero" d="M{across(0):.1f} {TOP}V{bottom}"/>')
    for number, bar in enumerate(bars):
        middle = TOP + height * (number + 0.5)
        body.append(
            f'<text class="row" x="{left - 12}" y="{middle + 4:.1f}" text-anchor="end">{escape(_short(bar.label))}</text>'
        )
        for place, (hue, value, low, high, strong) in enumerate(bar.values):
            y = middle + 14 * (place - (len(bar.values) - 1) / 2)
            span = f" [{figure(low)}, {figure(high)}]" if low != high else ""
            told = f"{bar.label}: {figure(value)}{span}"
            body.append(_whisker(hue, across, value, low, high, y, strong, told))
    return _svg(title, width, bottom + 52, body)


def swatch(hue: int) -> str:
    """The mark of a series, for a legend."""
    return (
        f'<svg class="swatch c{hue % HUES}" viewBox="0 0 26 14" width="26" height="14" aria-hidden="true">'
        f'<path class="line" d="M1 7H25"/>{_mark(hue, 13, 7)}</svg>'
    )


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """About `count` round numbers that reach over [low, high]: multiples of 1, 2, 2.5 or 5 times a power of ten."""
    span = high - low or abs(high) or 1.0
    power = Decimal(10) ** math.floor(math.log10(span / count))
    # decimals: a float's multiples drift from round numbers, past the ends when these lie far from 0
    steps = (power * Decimal(each) for each in ("1", "2", "2.5", "5", "10"))
    step = next(each for each in steps if math.ceil(span / float(each) - 1e-9) <= count)
    first = math.floor(Decimal(str(low)) / step + _ALMOST)
    last = math.ceil(Decimal(str(high)) / step - _ALMOST)
    return [float(step * at) for at in range(first, max(last, first + 1) + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten that reach over [low, high], where these are few with 2 and 5 between them."""
    for between in ((1, 2, 5), (1,)):
        powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
        every = [m * 10.0**e for e in powers for m in between]
        first = max(at for at, each in enumerate(every) if each <= low * (1 + 1e-9))
        last = min(at for at, each in enumerate(every) if each >= high * (1 - 1e-9))
        kept = every[first : max(last, first + 1) + 1]
        if len(kept) <= 8:
            break
    return kept


def _scale(
    axis: Axis, values: Sequence[float], start: float, end: float, count: int = 5
) -> tuple[list[tuple[float, str]], Callable[[float], float]]:
    """The ticks of an axis with their texts, and where a value stands between two places of the picture."""
    low, high = axis.ends or ((min(values), max(values)) if values else (0.0, 1.0))
    at = log_ticks(low, high) if axis.log else ticks(low, high, count)
    first, last = at[0], at[-1]
    power = _log if axis.log else float
    width = power(last) - power(first)

    def place(value: float) -> float:
        inside = min(max(value, first), last)
        return start + (end - start) * (power(inside) - power(first)) / width

    return list(zip(at, texts(at), strict=True)), place


def _log(value: float) -> float:
    return math.log10(value)


def texts(at: Sequence[float]) -> list[str]:
    """Ticks as texts with the same number of decimals, as few as tell them apart; thousands by commas."""
    if len(at) > 2 and at[0] > 0 and not math.isclose(at[1] - at[0], at[2] - at[1]):
        return [f"{each:,.10f}".rstrip("0").rstrip(".") for each in at]
    for digits in range(8):
        if all(math.isclose(round(each, digits), each, abs_tol=1e-12) for each in at):
            break
    return [f"{each:,.{digits}f}".replace("-", "−") for each in at]


def _grid(
    x_ticks: Iterable[tuple[float, str]],
    y_ticks: Iterable[tuple[float, str]],
    across: Callable[[float], float],
    up: Callable[[float], float],
) -> str:
    floor = HEIGHT - BOTTOM
    made = [f'<path class="grid" d="M{LEFT} {up(at):.1f}H{WIDTH - RIGHT}"/>' for at, _ in y_ticks]
    made += [
        f'<text class="tick" x="{LEFT - 9}" y="{up(at) + 4:.1f}" text-anchor="end">{text}</text>'
        for at, text in y_ticks
    ]
    made += [
        f'<path class="notch" d="M{across(at):.1f} {floor}v5"/>'
        f'<text class="tick" x="{across(at):.1f}" y="{floor + 20}" text-anchor="middle">{text}</text>'
        for at, text in x_ticks
    ]
    made.append(f'<path class="floor" d="M{LEFT} {floor}H{WIDTH - RIGHT}"/>')
    return "".join(made)


def _labels(x: str, y: str) -> str:
    middle = (TOP + HEIGHT - BOTTOM) / 2
    return (
        f'<text class="axis" x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x)}</text>'
        f'<text class="axis" transform="translate(15 {middle:.1f}) rotate(-90)" text-anchor="middle">{escape(y)}</text>'
    )


def _series(
    each: PlotSeries, across: Callable[[float], float], up: Callable[[float], float]
) -> str:
    places = [(across(x) + each.shift, up(y)) for x, y in each.points]
    made = []
    if each.line:
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        made.append(f'<path class="line" d="{path}"/>')
    for (x, _), (low, high) in zip(places, each.spans, strict=False):
        if math.isfinite(low) and math.isfinite(high):
            made.append(f'<path class="span" d="M{x:.1f} {up(low):.1f}V{up(high):.1f}"/>')
    for at, (x, y) in enumerate(places if each.marks else ()):
        told = f"<title>{escape(each.told[at])}</title>" if at < len(each.told) else ""
        made.append(f"<g>{told}{_mark(each.hue, x, y)}</g>")
    return f'<g class="c{each.hue % HUES}">{"".join(made)}</g>'


def _whisker(
    hue: int,
    across: Callable[[float], float],
    value: float,
    low: float,
    high: float,
    y: float,
    strong: bool,
    told: str,
) -> str:
    if not math.isfinite(value):
        return ""
    span = ""
    if math.isfinite(low) and math.isfinite(high):
        span = f'<path class="span" d="M{across(low):.1f} {y:.1f}H{across(high):.1f}"/>'
    return (
        f'<g class="c{hue % HUES}{"" if strong else " faint"}"><title>{escape(told)}</title>{span}'
        f"{_mark(hue, across(value), y)}</g>"
    )


def _mark(hue: int, x: float, y: float) -> str:
    """The shape of a series: circle, square, triangle, diamond; colours that come again come with another shape."""
    match (hue + hue // HUES) % 4:
        case 0:
            return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
        case 1:
            return f'<rect class="mark" x="{x - 3.7:.1f}" y="{y - 3.7:.1f}" width="7.4" height="7.4"/>'
        case 2:
            return f'<path class="mark" d="M{x:.1f} {y - 4.8:.1f}l4.8 8.4h-9.6z"/>'
    return f'<path class="mark" d="M{x:.1f} {y - 5.2:.1f}l5.2 5.2l-5.2 5.2l-5.2 -5.2z"/>'


def _short(text: str, most: int = 30) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _svg(title: str, width: float, height: float, body: Iterable[str]) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title, quote=True)}">'
        f"{''.join(body)}</svg>"
    )
