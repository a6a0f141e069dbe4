"""Write HTML and SVG so that no text can be taken for a tag: whatever is no markup is escaped."""

from html import escape
from typing import NoReturn

from privguard.core.patterns import lazy_pattern

_NAME = lazy_pattern(r"[A-Za-z][A-Za-z0-9_]*")
_EMPTY = frozenset({"meta", "rect", "line"})


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(tag: str, *children: str, **attributes: str | float) -> Markup:
    """Return an element.

    Args:
        tag: its name.
        children: what stands in it: markup as it is, text escaped.
        attributes: by name, with `_` for `-`; one that is a word of Python ends in `_`.
    """
    names = (tag, *attributes)
    if not all(_NAME.fullmatch(name) for name in names):
        _refuse()
    written = "".join(f' {_attribute(name)}="{escape(_value(value))}"' for name, value in attributes.items())
    if tag in _EMPTY and not children:
        return Markup(f"<{tag}{written}/>")
    return Markup(f"<{tag}{written}>{join(*children)}</{tag}>")


def join(*children: str) -> Markup:
    """Return the children one behind the other: markup as it is, text escaped."""
    return Markup("".join(child if isinstance(child, Markup) else escape(child) for child in children))


def _attribute(name: str) -> str:
    # SVG writes `viewBox` in two cases, HTML and ARIA their names with hyphens.
    return name.removesuffix("_").replace("_", "-")


def _value(value: str | float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _refuse() -> NoReturn:
    raise ValueError("the name of an element or an attribute is no name")
