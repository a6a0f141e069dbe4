"""The rows of a data set: one line of JSON in, one line out. Problems are told without content."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from privguard.core.errors import PrivguardError
from privguard.core.json_leaves import in_one_line
from privguard.core.plan import Decision
from privguard.guard import Exchange, Guard
from privguard.guard.shapes import Origin, origins_of

_SURROGATE = re.compile("[\ud800-\udfff]")


class RowError(Exception):
    """A row cannot be read; the message says why by field names and offsets only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of the input."""

    id: str | int
    content: str | tuple[Mapping[str, Any], ...] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What became of one line."""

    number: int  # of the line, from 1
    output: str | None = field(default=None, repr=False)  # a line of the output, without its end
    problem: str = ""  # why there is none


def finish_line(guard: Guard, number: int, line: bytes, *, target: str, profile: str | None) -> Finished:
    """Minimize one line; whatever goes wrong with it becomes its problem."""
    from privguard.api import minimize

    try:
        row = read_row(line)
        content = row.content
        exchange: Exchange[Any]
        if isinstance(content, str):
            exchange = minimize(content, target=target, profile=profile, guard=guard)
        else:
            exchange = minimize(content, target=target, profile=profile, guard=guard)
        with exchange:
            output = {"id": row.id, "spans": describe_spans(exchange, content), "minimized": exchange.outgoing}
            return Finished(number=number, output=in_one_line(json.dumps(output, ensure_ascii=False)))
    except (RowError, PrivguardError) as error:
        return Finished(number=number, problem=str(error))
    except Exception as error:  # noqa: BLE001 - one row must not end the run, and its text may be in the message
        return Finished(number=number, problem=f"{type(error).__name__} while this row was minimized")


def read_row(line: bytes) -> Row:
    """Read one line.

    Raises:
        RowError: it is no row.
    """
    row = _parse(line)
    if not isinstance(row, dict):
        raise RowError("the row is not a JSON object")
    if "id" not in row:
        raise RowError("id is missing")
    row_id = row["id"]
    if isinstance(row_id, bool) or not isinstance(row_id, str | int):
        raise RowError("id is neither a string nor an integer")
    if ("text" in row) == ("messages" in row):
        raise RowError("the row has both text and messages" if "text" in row else "text or messages is missing")
    _check_characters(row_id, "id")
    if "text" not in row:
        return Row(id=row_id, content=_read_messages(row["messages"]))
    if not isinstance(row["text"], str):
        raise RowError("text is not a string")
    _check_characters(row["text"], "text")
    return Row(id=row_id, content=row["text"])


def describe_spans(exchange: Exchange[Any], content: str | Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
    """List every span with its action; `start` and `end` are code points of the text, or of message number `message`.

    A span outside the content string of a message, in a part or a name, carries the `path` that its offsets refer to.
    """
    spans = []
    for origin, row in zip(origins_of(content), exchange.plan.decisions, strict=True):
        message = None if isinstance(content, str) else int(origin.path.partition("[")[2].partition("]")[0])
        elsewhere = {} if origin.path in ("text", f"messages[{message}].content") else {"path": origin.path}
        spans += [_describe(decision, origin, message) | elsewhere for decision in row]
    return spans


def _describe(decision: Decision, origin: Origin, message: int | None) -> dict[str, object]:
    return {
        "start": origin.locate(decision.span.start),
        "end": origin.locate(decision.span.end),
        "type": decision.span.kind.value,
        "action": decision.action.name,
        "replacement": decision.replacement,
        "p_survive": round(decision.p_survive, 6),
        "reason": decision.reason.value,
        "message": message,
    }


def _parse(line: bytes) -> object:
    try:
        return json.loads(line.decode())
    except UnicodeDecodeError as error:
        fault = f"is not UTF-8 at byte {error.start}"
    except json.JSONDecodeError as error:
        fault = f"is not JSON at character {error.pos}"
    except (ValueError, RecursionError):
        fault = "holds JSON that is too deep, or a number that is too long"
    # Raised out here: the error before holds the row, and the context of an exception keeps it reachable.
    raise RowError(f"the row {fault}")


def _read_messages(messages: object) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(messages, list) or not messages:
        raise RowError("messages is not a list of at least one message")
    for number, message in enumerate(messages):
        if not isinstance(message, dict):
            raise RowError(f"messages[{number}] is not a JSON object")
        if not isinstance(message.get("role"), str):
            raise RowError(f"messages[{number}].role is not a string")
        if "content" not in message:
            raise RowError(f"messages[{number}].content is missing")
        if not isinstance(message["content"], str | list | None):
            raise RowError(f"messages[{number}].content is neither a string nor a list of parts")
        _check_characters(message, f"messages[{number}]")
    return tuple(messages)


def _check_characters(value: object, where: str) -> None:
    """Refuse lone surrogates, which no UTF-8 file can hold."""
    match value:
        case str():
            if (surrogate := _SURROGATE.search(value)) is not None:
                raise RowError(f"{where} has a lone surrogate at character {surrogate.start()}")
        case dict():
            for number, (key, item) in enumerate(value.items()):
                _check_characters(key, f"{where}, key {number}")
                _check_characters(item, f"{where}.{key}" if key in {"role", "content"} else f"{where}, field {number}")
        case list():
            for number, item in enumerate(value):
                _check_characters(item, f"{where}[{number}]")
