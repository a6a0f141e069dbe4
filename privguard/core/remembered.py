"""Attributes that are computed when they are first asked for, without a lock.

`functools.cached_property` of Python 3.11 holds one lock for all objects of a class: threads wait for each other's
texts, and a process that is forked while one of them reads waits for ever.
"""

from collections.abc import Callable
from typing import Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class remembered(Generic[Value]):  # noqa: N801 - a decorator, named as `property` is
    """Decorate a method whose answer is kept as an attribute of its object, which needs a `__dict__`.

    Threads that ask at once may each compute it; the answers must be equal.
    """

    def __init__(self, compute: Callable[..., Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        """Return the answer; an attribute of that name hides this from the second time on."""
        if instance is None:
            return self
        value = self._compute(instance)
        instance.__dict__[self._name] = value  # past the door that frozen dataclasses close
        return value
