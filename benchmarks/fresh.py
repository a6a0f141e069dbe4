"""What a fresh process is given, so that it starts as an installed package does."""

import os
from collections.abc import Mapping


def fresh_env(given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return an environment in which compiled code is kept, as pip leaves it: compiling would be timed as loading."""
    return {name: value for name, value in given.items() if name != "PYTHONDONTWRITEBYTECODE"}
