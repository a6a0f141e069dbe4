"""Segments: the pieces of content that a wire codec finds in a request or a reply."""

from dataclasses import dataclass, field
from enum import StrEnum

from privguard.core.edits import Edit, splice
from privguard.core.leaf_edits import Change
from privguard.core.nested_texts import Written


class Channel(StrEnum):
    """The syntax that a text stands in, which decides how a restored value is escaped."""

    TEXT = "text"  # prose: a value stands as it is
    JSON = "json"  # the text is a JSON document: values are escaped for a JSON string
    JSON_IN_JSON = "json_in_json"  # a JSON document whose strings may hold JSON documents again
    REPLY = "reply"  # what a model says: prose, in which JSON documents may stand that stay valid
    SCHEMA = "schema"  # a string of a JSON schema: a description, an enum value, a default


class Role(StrEnum):
    """Who speaks in a segment."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    OTHER = "other"  # tool definitions, metadata, anything without a speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One piece of content, in the order of the request.

    `path` is made of the field names of the API and of indices only (`messages[0].content`): keys that the caller
    chose appear as their number, so that a path may stand in errors and in the audit record.
    """

    path: str
    role: Role
    channel: Channel
    text: str = field(repr=False)
    written: Written | None = field(default=None, repr=False, compare=False)  # where it is part of a longer string
    key: str = field(default="", repr=False, compare=False)  # the name that the caller gave the text, if any
    beside: bool = field(default=False, compare=False)  # whether it is data beside the conversation, no running text
    chosen: bool = field(default=False, compare=False)  # whether it is a name that a program chose
    expected: bool = field(default=False, compare=False)  # whether it describes the reply, which may hold it
    edits: tuple[Edit, ...] = field(default=(), repr=False, compare=False)  # that made it of the text that was read

    def change_of(self, text: str) -> Change:
        """Return how this segment changes the text that was read: by its edits, where these are all that changed."""
        return self.edits if self.edits and splice(text, self.edits) == self.text else self.text
