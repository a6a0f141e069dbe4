"""R over the texts of one reply of the Responses API: each text once, however often the reply repeats it.

A stream says each text in pieces, and then in full up to four times. What became of it is remembered, so that all of
them are the same to the letter, and what was done is recorded once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from privguard.core.profile import OnReply
from privguard.core.segments import Channel
from privguard.core.views import View, strictest_view
from privguard_adapters.wire.exchanging import Restoring, TextStream
from privguard_adapters.wire.offsets import Offsets, restore_with_offsets
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_names import Names, restore_keys, with_keys
from privguard_adapters.wire.responses_places import Item, Places
from privguard_adapters.wire.tools import Tools

_DOCUMENT = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*[\"\[{\]])")
_JSON = frozenset({"json_object", "json_schema"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What may stand in a text, and how it is written there."""

    channel: Channel = Channel.TEXT
    view: View | None = None  # None: the user's
    keys: tuple[tuple[str, str], ...] = field(default=(), repr=False)  # what the keys in it are called

    @property
    def names(self) -> Names:
        """Return what the keys are called."""
        return dict(self.keys)


class Texts:
    """The texts of one reply."""

    def __init__(self, exchange: Restoring, rules: ReplyRules) -> None:
        self._exchange, self._rules = exchange, rules
        self._json = rules.json_reply
        self._tools = rules.tools(exchange.profile)
        self._known: dict[tuple[str, Placed], tuple[str, Offsets | None]] = {}

    @property
    def hides(self) -> bool:
        """Tell whether values of the model's own are hidden, which tokens tell as well."""
        return self._exchange.profile.on_reply is OnReply.REDACT

    @property
    def has_note(self) -> bool:
        """Tell whether the note on placeholders goes along with requests."""
        return self._exchange.profile.note

    def learn(self, places: Places) -> None:
        """Take from a response what it repeats of a request that is not at hand."""
        self._json = self._json or places.of_response("text", "format", "type") in _JSON
        if self._rules.offered:
            return
        root = (*places.base, "tools")
        names = {
            leaf.text
            for path, leaf in places.values.items()
            if path[: len(root)] == root and path[-1] == "name" and not {"parameters", "format"}.intersection(path)
        }
        kinds = {
            leaf.text
            for path, leaf in places.values.items()
            if path[: len(root)] == root and len(path) == len(root) + 2 and path[-1] == "type"
        }
        profile, names_of = self._exchange.profile, self._rules.names
        self._tools = Tools(profile=profile, offered=frozenset(names | kinds), names=names_of)

    def said(self) -> Placed:
        """Return what may stand in what the model says."""
        channel = Channel.JSON if self._json else Channel.REPLY
        return Placed(channel=channel, keys=tuple(sorted(self._rules.names.output.items())))

    def shown(self) -> Placed:
        """Return what may stand in all other texts that the user reads."""
        return Placed()

    def unknown(self) -> Placed:
        """Return what may stand where nobody knows who reads it."""
        return Placed(view=strictest_view(self._exchange.profile))

    def given(self, item: Item | None, *, is_json: bool) -> Placed:
        """Return what may stand in the arguments of a tool; None for one that is not known."""
        if item is not None and item.is_served:
            return self.served()
        names = (item.tool,) if item is not None else ()
        keys = self._tools.keys(names) if names else {}
        return Placed(
            channel=Channel.JSON if is_json else Channel.TEXT,
            view=self._tools.view(names),
            keys=tuple(sorted(keys.items())),
        )

    def served(self) -> Placed:
        """Return what may stand in the arguments of a call that the provider makes itself: the user reads them."""
        return Placed(channel=Channel.JSON)

    def callers(self, text: str) -> Placed:
        """Return what may stand in a text that the caller has sent, and that is repeated."""
        return Placed(channel=Channel.JSON if _DOCUMENT.match(text) else Channel.TEXT, view=View())

    def tool_name(self, name: str) -> str:
        """Return the caller's name for a tool."""
        return self._rules.names.tools.get(name, name)

    def names_in(self, tool: str) -> Mapping[str, str]:
        """Return the caller's names for those in the schema of a tool, "" for that of structured output."""
        names = self._rules.names
        return {**names.tools, **(names.arguments.get(tool, {}) if tool else names.output)}

    def open(self, placed: Placed, path: str) -> TextStream:
        """Open R over a text that comes in pieces."""
        return with_keys(self._exchange.stream(placed.channel, path, view=placed.view), placed.names)

    def note(self, given: str, placed: Placed, restored: str, offsets: Offsets) -> None:
        """Remember what became of a text that came in pieces."""
        self._known[given, placed] = restored, offsets

    def restore(self, text: str, placed: Placed, path: str) -> str:
        """Restore a text that is whole."""
        known = self._known.get((text, placed))
        if known is None:
            keyed = restore_keys(text, placed.names)
            restored = self._exchange.restore(keyed, placed.channel, path, view=placed.view)
            known = self._known[text, placed] = restored, None
        return known[0]

    def offsets(self, text: str, placed: Placed, path: str) -> Offsets:
        """Return what moved in a text that is whole; it is restored with that, where it was not yet."""
        known = self._known.get((text, placed))
        if known is None or known[1] is None:
            restored, offsets = restore_with_offsets(text, self.open(placed, path))
            known = self._known[text, placed] = restored, offsets
        return known[1] or Offsets()
