"""Every place of a JSON body, and the body with something else there."""

import json
from typing import Any

Place = tuple[Any, ...]


def places(value: Any, path: Place = ()) -> list[Place]:  # noqa: ANN401 - any JSON value
    """Return the path of every string and of every object."""
    if isinstance(value, dict):
        return [path, *(place for key, child in value.items() for place in places(child, (*path, key)))]
    if isinstance(value, list):
        return [place for number, child in enumerate(value) for place in places(child, (*path, number))]
    return [path] if isinstance(value, str) else []


def value_at(body: Any, path: Place) -> Any:  # noqa: ANN401 - likewise
    """Return what stands at a path."""
    for step in path:
        body = body[step]
    return body


def changed(full: Any, path: Place, canary: str) -> Any:  # noqa: ANN401 - likewise
    """Return a body with the string at a path replaced, or a made-up field in the object there."""
    body = json.loads(json.dumps(full))
    target = value_at(body, path)
    if isinstance(target, dict):
        target["made_up"] = canary
    else:
        value_at(body, path[:-1])[path[-1]] = canary
    return body
