"""Draw a table as SVG: bars for names, columns for times. Colours and fonts come from the page."""

from collections.abc import Iterator, Sequence
from math import ceil

from privguard.audit.report.markup import Markup, element, join
from privguard.audit.report.tables import Table

MOST_BARS = 20  # the table behind the chart has all rows
WIDTH = 720

_LONGEST_LABEL = 26  # characters
_LABEL_WIDTH = 200
_TOTAL_WIDTH = 70
_BAR, _GAP = 16, 8
_HEIGHT, _TOP, _BOTTOM = 200, 12, 24  # of columns
_AXIS_WIDTH = 60
_MARGIN = 36  # right of the last column: half of its label
_LABEL_SPACE = 76  # between labels of the axis
_WIDEST_COLUMN = 40
_DENSE = 0.8  # of the space of a column that it takes


def chart(table: Table) -> Markup:
    """Return the chart of a table as an `svg` element, nothing where there is nothing to draw."""
    if not any(any(table.drawn_values(values)) for _, values in table.rows):
        return Markup("")
    return _columns(table) if table.is_over_time else _bars(table)


def _bars(table: Table) -> Markup:
    drawn = [(name, table.drawn_values(values)) for name, values in table.rows]
    shown = [(name, values) for name, values in drawn if any(values)][:MOST_BARS]
    scale = (WIDTH - _LABEL_WIDTH - _TOTAL_WIDTH) / max(sum(values) for _, values in shown)
    parts = [part for place, row in enumerate(shown) for part in _bar(table, row, place * (_BAR + _GAP), scale)]
    return _svg(table, len(shown) * (_BAR + _GAP), parts)


def _bar(table: Table, row: tuple[str, tuple[int, ...]], top: float, scale: float) -> Iterator[Markup]:
    name, values = row
    middle = top + _BAR / 2
    yield element("text", _shortened(name), x=_LABEL_WIDTH - 8, y=middle, text_anchor="end", class_="middle")
    left = float(_LABEL_WIDTH)
    for column, value in zip(table.drawn, values, strict=True):
        if value:
            title = element("title", f"{name}, {column.name}: {value:,}")
            width = value * scale
            yield element("rect", title, x=left, y=top, width=width, height=_BAR, class_=f"tone {column.tone}")
            left += width
    yield element("text", f"{sum(values):,}", x=left + 6, y=middle, class_="middle")


def _columns(table: Table) -> Markup:
    drawn = [(name, table.drawn_values(values)) for name, values in table.rows]
    top = _round_up(max(sum(values) for _, values in drawn))
    space = (WIDTH - _AXIS_WIDTH - _MARGIN) / len(drawn)
    every = ceil(_LABEL_SPACE / space)
    parts = list(_axis(top))
    for place, row in enumerate(drawn):
        left = _AXIS_WIDTH + place * space
        parts += _column(table, row, (left, space), _HEIGHT / top)
        if place % every == 0:
            middle = left + space / 2
            y = _TOP + _HEIGHT + 16
            parts.append(element("text", row[0], x=middle, y=y, text_anchor="middle"))
    return _svg(table, _TOP + _HEIGHT + _BOTTOM, parts)


def _column(
    table: Table, row: tuple[str, tuple[int, ...]], place: tuple[float, float], scale: float
) -> Iterator[Markup]:
    (name, values), (left, space) = row, place
    width = min(space * _DENSE, float(_WIDEST_COLUMN))
    bottom = float(_TOP + _HEIGHT)
    for column, value in zip(table.drawn, values, strict=True):
        if value:
            height = value * scale
            bottom -= height
            title = element("title", f"{name}, {column.name}: {value:,}")
            x = left + (space - width) / 2
            yield element("rect", title, x=x, y=bottom, width=width, height=height, class_=f"tone {column.tone}")


def _axis(top: int) -> Iterator[Markup]:
    for part in (0, 1, 2):
        y = _TOP + _HEIGHT * (1 - part / 2)
        yield element("line", x1=_AXIS_WIDTH, x2=WIDTH - _MARGIN, y1=y, y2=y, class_="grid")
        if part != 1 or top % 2 == 0:
            label = f"{top * part // 2:,}"
            yield element("text", label, x=_AXIS_WIDTH - 8, y=y, text_anchor="end", class_="middle")


def _svg(table: Table, height: int, parts: Sequence[Markup]) -> Markup:
    what = f"{table.title}. The table that follows has the numbers."
    return element("svg", join(*parts), viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=what)


def _shortened(name: str) -> str:
    if len(name) <= _LONGEST_LABEL:
        return name
    return f"{name[: _LONGEST_LABEL - 9]}…{name[-8:]}"


def _round_up(value: int) -> int:
    """Return the next number of the form 1, 2, 4, 5 or 8 times a power of ten."""
    power = 1
    while power * 10 < value:
        power *= 10
    return next(power * step for step in (1, 2, 4, 5, 8, 10) if power * step >= value)
