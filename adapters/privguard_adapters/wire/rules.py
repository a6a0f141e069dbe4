"""What a request means for its reply."""

from privguard_adapters.wire.identifiers import Renamed
from privguard_adapters.wire.reply import ReplyRules
from privguard_adapters.wire.reply_names import ReplyNames
from privguard_adapters.wire.request import RequestView


def reply_rules(view: RequestView, renamed: Renamed) -> ReplyRules:
    """Return the rules for the reply to a request, by how its names have left."""
    return ReplyRules(
        json_reply=view.json_reply,
        choices=view.choices,
        offered=frozenset([renamed.name(name) for name in view.offered]),
        names=ReplyNames.of(view.identifiers, renamed, view.offered),
    )
