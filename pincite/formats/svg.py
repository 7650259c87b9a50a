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
Marked = tuple[int, float, float, float, bool]
_LONGEST = 30
"""Characters of the label of a row."""
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
    values: tuple[Marked, ...]


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
    xs, ys = ([point[way] for each in kept for point in each.points] for way in (0, 1))
    ys += [end for each in kept for span in each.spans for end in span if math.isfinite(end)]
    pad = 0 if x.ends else 16
    x_ticks, across = _scale(x, xs, LEFT + pad, WIDTH - RIGHT - pad)
    y_ticks, up = _scale(y, ys, HEIGHT - BOTTOM, TOP)
    floor, left, right = HEIGHT - BOTTOM, LEFT, WIDTH - RIGHT
    body = [_path("grid", f"M{left} {up(at):.1f}H{right}") for at, _ in y_ticks]
    body += [_text("tick", left - 9, f"{up(at) + 4:.1f}", "end", said) for at, said in y_ticks]
    for at, said in x_ticks:
        body.append(_path("notch", f"M{across(at):.1f} {floor}v5"))
        body.append(_text("tick", f"{across(at):.1f}", floor + 20, "middle", said))
    body.append(_path("floor", f"M{left} {floor}H{right}"))
    body.append(_text("axis", f"{(left + right) / 2:.1f}", HEIGHT - 10, "middle", escape(x.label)))
    turned = f'transform="translate(15 {(TOP + floor) / 2:.1f}) rotate(-90)"'
    body.append(f'<text class="axis" {turned} text-anchor="middle">{escape(y.label)}</text>')
    if diagonal:
        line = f"M{across(0):.1f} {up(0):.1f}L{across(1):.1f} {up(1):.1f}"
        body.append(_path("even", line))
    body += [_series(each, across, up) for each in kept]
    return _svg(title, WIDTH, HEIGHT, body)


def rows(
    title: str, axis: Axis, bars: Sequence[Bar], zero: bool = False, width: int = WIDTH
) -> str:
    """Values with their spans, one row a bar; `zero` draws a line where there is no difference."""
    height = 14 * max((len(bar.values) for bar in bars), default=1) + 12
    left = min(250, max(60.0, *(7.4 * min(len(bar.label), _LONGEST) for bar in bars)) + 24)
    bottom = TOP + height * len(bars)
    ends = (end for bar in bars for _, *span, _ in bar.values for end in span)
    found = [*filter(math.isfinite, ends), *([0.0] if zero else [])]
    ticks, across = _scale(axis, found, left, width - RIGHT, 8)
    body: list[str] = []
    for at, said in ticks:
        body.append(_path("grid", f"M{across(at):.1f} {TOP}V{bottom}"))
        body.append(_text("tick", f"{across(at):.1f}", bottom + 18, "middle", said))
    middle = f"{(left + width - RIGHT) / 2:.1f}"
    body.append(_text("axis", middle, bottom + 40, "middle", escape(axis.label)))
    if zero:
        body.append(_path("zero", f"M{across(0):.1f} {TOP}V{bottom}"))
    for number, bar in enumerate(bars):
        line = TOP + height * (number + 0.5)
        label = bar.label if len(bar.label) <= _LONGEST else bar.label[: _LONGEST - 1] + "…"
        body.append(_text("row", left - 12, f"{line + 4:.1f}", "end", escape(label)))
        for place, value in enumerate(bar.values):
            body.append(
                _whisker(bar.label, value, across, line + 14 * (place - (len(bar.values) - 1) / 2))
            )
    return _svg(title, width, bottom + 52, body)


def swatch(hue: int) -> str:
    """The mark of a series, for a legend."""
    return (
        f'<svg class="swatch c{hue % HUES}" viewBox="0 0 26 14" width="26" height="14" aria-hidden="true">'
        f"{_path('line', 'M1 7H25')}{_mark(hue, 13, 7)}</svg>"
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
    power = math.log10 if axis.log else float
    first, width = power(at[0]), power(at[-1]) - power(at[0])

    def place(value: float) -> float:
        inside = min(max(value, at[0]), at[-1])
        return start + (end - start) * (power(inside) - first) / width

    return list(zip(at, texts(at), strict=True)), place


def texts(at: Sequence[float]) -> list[str]:
    """Ticks as texts with the same number of decimals, as few as tell them apart; thousands by commas."""
    if len(at) > 2 and at[0] > 0 and not math.isclose(at[1] - at[0], at[2] - at[1]):
        return [f"{each:,.10f}".rstrip("0").rstrip(".") for each in at]
    for digits in range(8):
        if all(math.isclose(round(each, digits), each, abs_tol=1e-12) for each in at):
            break
    return [f"{each:,.{digits}f}".replace("-", "−") for each in at]


def _series(
    each: PlotSeries, across: Callable[[float], float], up: Callable[[float], float]
) -> str:
    places = [(across(x) + each.shift, up(y)) for x, y in each.points]
    made = []
    if each.line:
        made.append(_path("line", "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)))
    for (x, _), (low, high) in zip(places, each.spans, strict=False):
        if math.isfinite(low) and math.isfinite(high):
            made.append(_path("span", f"M{x:.1f} {up(low):.1f}V{up(high):.1f}"))
    for at, (x, y) in enumerate(places if each.marks else ()):
        told = f"<title>{escape(each.told[at])}</title>" if at < len(each.told) else ""
        made.append(f"<g>{told}{_mark(each.hue, x, y)}</g>")
    return f'<g class="c{each.hue % HUES}">{"".join(made)}</g>'


def _whisker(label: str, marked: Marked, across: Callable[[float], float], y: float) -> str:
    """A value with its span, and what it tells when pointed at."""
    hue, value, low, high, strong = marked
    if not math.isfinite(value):
        return ""
    told = f"{label}: {figure(value)}" + (
        f" [{figure(low)}, {figure(high)}]" if low != high else ""
    )
    spanned = math.isfinite(low) and math.isfinite(high)
    span = _path("span", f"M{across(low):.1f} {y:.1f}H{across(high):.1f}") if spanned else ""
    kinds = f"c{hue % HUES}{'' if strong else ' faint'}"
    return (
        f'<g class="{kinds}"><title>{escape(told)}</title>{span}{_mark(hue, across(value), y)}</g>'
    )


def _mark(hue: int, x: float, y: float) -> str:
    """The shape of a series: circle, square, triangle, diamond; colours that come again come with another shape."""
    match (hue + hue // HUES) % 4:
        case 0:
            return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
        case 1:
            return f'<rect class="mark" x="{x - 3.7:.1f}" y="{y - 3.7:.1f}" width="7.4" height="7.4"/>'
        case 2:
            return _path("mark", f"M{x:.1f} {y - 4.8:.1f}l4.8 8.4h-9.6z")
    return _path("mark", f"M{x:.1f} {y - 5.2:.1f}l5.2 5.2l-5.2 5.2l-5.2 -5.2z")


def _path(kind: str, steps: str) -> str:
    return f'<path class="{kind}" d="{steps}"/>'


def _text(kind: str, x: object, y: object, anchor: str, said: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{said}</text>'


def _svg(title: str, width: float, height: float, body: Iterable[str]) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title, quote=True)}">'
        f"{''.join(body)}</svg>"
    )
