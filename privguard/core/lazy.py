"""Packages that import what they export at its first use, so that what is not used costs nothing."""

import importlib
from collections.abc import Callable, Mapping


def lazy_exports(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package.

    Args:
        package: its name.
        homes: the module of each public name, without the name of the package.
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{homes[name]}"), name)

    return find
