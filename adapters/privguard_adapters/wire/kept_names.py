"""What a reply that comes later is read by: written down with the values of its request, and read again.

A name is not among the values that R puts back, so what asks for a reply needs to be told what the names in it are
called. Several requests may be kept as one, a conversation say: each has a note of its own, named after what it says,
so that notes of the same names are one, and none takes the place of another.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_names import Names, ReplyNames

RULES = "rules"  # the name of the note on one request of a batch
_NAMED = "names:"  # what such notes are called, before the hash of what they say
_HASHED = 16  # bytes


def note_of(names: ReplyNames, earlier: ReplyNames) -> dict[str, str]:
    """Write down the names of a request, with those of requests that it speaks of; of two of one spelling its own."""
    scopes = {*earlier.arguments, *names.arguments}
    known = written(
        ReplyNames(
            tools={**earlier.tools, **names.tools},
            arguments={
                tool: {**earlier.arguments.get(tool, {}), **names.arguments.get(tool, {})} for tool in sorted(scopes)
            },
            output={**earlier.output, **names.output},
        )
    )
    if not known:
        return {}
    text = json.dumps(known, sort_keys=True)
    return {_NAMED + hashlib.blake2b(text.encode(), digest_size=_HASHED).hexdigest(): text}


def names_in(notes: Mapping[str, str]) -> ReplyNames:
    """Return the names that notes tell. One that stands for two of the caller's, in different requests, is left out."""
    told = [read_names(json.loads(text)) for name, text in notes.items() if name.startswith((_NAMED, RULES))]
    scopes = {tool for names in told for tool in names.arguments}
    return ReplyNames(
        tools=_agreed(names.tools for names in told),
        arguments={tool: _agreed(names.arguments.get(tool, {}) for names in told) for tool in scopes},
        output=_agreed(names.output for names in told),
    )


def rules_note(rules: ReplyRules, *, is_kept: bool = False) -> dict[str, str]:
    """Write down how the reply to a request is to be read.

    Args:
        rules: what the request means for its reply.
        is_kept: whether the provider keeps the reply, so that later requests may speak of it.
    """
    asked = {"json": rules.json_reply, "choices": rules.choices, "offered": sorted(rules.offered), "kept": is_kept}
    return {RULES: json.dumps({**{name: value for name, value in asked.items() if value}, **written(rules.names)})}


def rules_in(notes: Mapping[str, str]) -> tuple[ReplyRules, bool]:
    """Return what was written down: the rules, and whether the provider keeps the reply."""
    given: dict[str, Any] = json.loads(notes.get(RULES, "{}"))
    rules = ReplyRules(
        json_reply=bool(given.get("json")),
        choices=int(given.get("choices", 1)),
        offered=frozenset(given.get("offered", ())),
        names=read_names(given),
    )
    return rules, bool(given.get("kept"))


def written(names: ReplyNames) -> dict[str, Any]:
    """Return names as JSON values; nothing of those that there are none of."""
    given = {
        "tools": dict(names.tools),
        "arguments": {tool: dict(each) for tool, each in names.arguments.items()},
        "output": dict(names.output),
    }
    return {name: value for name, value in given.items() if value}


def read_names(given: Mapping[str, Any]) -> ReplyNames:
    """Return the names that were written as JSON values."""
    return ReplyNames(
        tools=given.get("tools", {}), arguments=given.get("arguments", {}), output=given.get("output", {})
    )


def _agreed(told: Iterable[Names]) -> Names:
    known: dict[str, set[str]] = {}
    for names in told:
        for name, own in names.items():
            known.setdefault(name, set()).add(own)
    return {name: next(iter(own)) for name, own in known.items() if len(own) == 1}
