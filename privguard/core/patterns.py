"""Regular expressions that are compiled when a text first meets them.

There are some six hundred, most of them for what few texts hold. To compile all of them took a third of the time in
which a guard is loaded; a first request needs a quarter of them.
"""

import re
from typing import cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
_NUMBERS = ("flags", "groups", "groupindex")


def lazy_pattern(expression: str, flags: int = 0) -> re.Pattern[str]:
    """Return what has the attributes of a compiled pattern, and is compiled when one of them is first asked for.

    `pattern` is there at once. `re` does not know it for a pattern: its own methods are to be called, not the functions
    of the module. There is no lock: threads that ask at once may each compile it, with equal results.

    Raises:
        re.error: at the first use, where the expression is none.
    """
    return cast("re.Pattern[str]", LazyPattern(expression, flags))


class LazyPattern:
    """What `lazy_pattern` returns."""

    __slots__ = ("_given", "pattern", *_METHODS, *_NUMBERS)

    def __init__(self, expression: str, flags: int) -> None:
        self.pattern = expression
        self._given = flags

    def __getattr__(self, name: str) -> object:
        """Compile, and keep each attribute: from then on a call is that of the compiled pattern itself."""
        if name not in LazyPattern.__slots__:
            raise AttributeError(f"a pattern has no attribute {name!r}")
        compiled = re.compile(self.pattern, self._given)
        for each in (*_METHODS, *_NUMBERS):
            setattr(self, each, getattr(compiled, each))
        found: object = getattr(compiled, name)
        return found
