"""Parameters of which the plain run takes some, and the long run the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(every: int, values: Iterable[Any]) -> list[Any]:
    """Return all values as parameters; all but one in so many are marked as long, the first is not."""
    return [
        pytest.param(value, marks=pytest.mark.long) if number % every else value for number, value in enumerate(values)
    ]
