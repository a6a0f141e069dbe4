"""Find every public method of an SDK, and make up arguments for it from its signature."""

import inspect
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Literal, TypeAlias, get_args, get_origin

import typing_extensions

Hint: TypeAlias = Any
Value: TypeAlias = Any

MAX_DEPTH = 6
# Parameters that go beside the body; they are filled one at a time.
EXTRAS = ("extra_headers", "extra_query", "extra_body")
_BESIDE = {*EXTRAS, "timeout", "self", "idempotency_key", "follow_redirects", "security", "stream_cls", "cast_to"}
# Strings that must be identifiers in a request that is meant to leave.
_IDENTIFIERS = {"name", "id", "tool_call_id", "model", "model_id", "type", "role", "voice", "user_id", "ttl", "syntax"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One public method of a resource."""

    path: tuple[str, ...]  # from the client: resources, then the method
    function: Callable[..., Any]

    @property
    def name(self) -> str:
        """Return the path as one would write it."""
        return ".".join(self.path)


def methods_of(node: object, resources: tuple[type, ...], path: tuple[str, ...] = ()) -> Iterator[Method]:
    """Yield every public method of the resources below a client or a resource.

    Args:
        node: where to begin.
        resources: the classes that the SDK derives its resources from.
        path: where the node stands.
    """
    for name in sorted(dir(type(node))):
        attribute = inspect.getattr_static(type(node), name)
        if name.startswith("_"):
            continue
        if isinstance(attribute, cached_property | property):
            found = getattr(node, name)
            if isinstance(found, resources):
                yield from methods_of(found, resources, (*path, name))
        elif path and inspect.isfunction(attribute):
            yield Method(path=(*path, name), function=attribute)


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Make up arguments: every string is the canary, or, where `polite`, every one that may be a text."""

    canary: str
    polite: bool = False

    def arguments(self, method: Method, only: Collection[str] | None = None) -> dict[str, Value]:
        """Return a value for every parameter of a method, or for the required ones and those of `only`."""
        made = {}
        for name, parameter in inspect.signature(method.function).parameters.items():
            if name in _BESIDE or parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                continue
            hint = _resolve(parameter.annotation, method.function)
            if parameter.default is not parameter.empty and "type[" in str(hint).lower():
                continue  # a class to parse into
            if only is not None and parameter.default is not parameter.empty and name not in only:
                continue
            made[name] = self.value(hint, name, 0)
        return made

    def value(self, hint: Hint, name: str, depth: int) -> Value:  # noqa: PLR0911 - one line per sort of annotation
        """Return a value of a type."""
        origin: Hint = get_origin(hint)
        arguments = get_args(hint)
        if hint is bool:
            return name == "strict"
        if hint in (int, float):
            return 1
        if origin is Literal:
            return arguments[0] if self.polite else self.canary
        if origin in (typing.Union, types.UnionType):
            return self.value(self._choose(arguments), name, depth)
        if origin in (typing_extensions.Required, typing_extensions.NotRequired, typing.Annotated):
            return self.value(arguments[0], name, depth)
        if depth < MAX_DEPTH and typing_extensions.is_typeddict(hint):
            return {key: self.value(each, key, depth + 1) for key, each in _fields(hint).items()}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"key" if self.polite else self.canary: self.value(arguments[1], "", depth + 1)}
        if _is_list(origin, hint):
            return [self.value(arguments[0] if arguments else str, name, depth + 1)]
        if hint is bytes or "File" in str(hint) or "IO" in str(hint):
            return (self.canary, self.canary.encode())
        return "x1" if self.polite and name in _IDENTIFIERS else self.canary

    def _choose(self, options: Sequence[Hint]) -> Hint:
        """Choose from a union: what holds a text, and a literal only where the request is meant to leave."""
        useful = [option for option in options if option is not type(None) and "Omit" not in str(option)]
        literals = [option for option in useful if get_origin(option) is Literal]
        if self.polite and literals:
            return literals[0]
        return next((option for option in useful if option is str), useful[0] if useful else str)


def _is_list(origin: object, hint: Hint) -> bool:
    if "SequenceNotStr" in str(hint):
        return True
    return isinstance(origin, type) and issubclass(origin, Iterable) and not issubclass(origin, str)


@cache
def _fields(hint: Hint) -> dict[str, Hint]:
    try:
        return typing_extensions.get_type_hints(hint)
    except (NameError, TypeError):
        return dict.fromkeys(hint.__annotations__, str)


def _resolve(annotation: Hint, function: Callable[..., Any]) -> Hint:
    if not isinstance(annotation, str):
        return annotation
    inner = inspect.unwrap(function)
    try:
        return eval(annotation, dict(inner.__globals__))  # noqa: S307 - the SDK's own annotation
    except (NameError, TypeError):
        return str
