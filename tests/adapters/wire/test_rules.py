from privguard_adapters.wire.identifiers import Identifiers, Renamed
from privguard_adapters.wire.reply_names import ReplyNames
from privguard_adapters.wire.request import RequestView
from privguard_adapters.wire.rules import reply_rules


def test_the_reply_is_read_by_the_names_that_have_left() -> None:
    view = RequestView(
        target="m",
        stream=False,
        segments=(),
        checks=(),
        json_reply=True,
        choices=2,
        offered=frozenset({"f", "g"}),
        identifiers=Identifiers(scopes={"f": frozenset({"a"})}),
    )
    rules = reply_rules(view, Renamed(names={"f": "F", "a": "A"}))
    assert (rules.json_reply, rules.choices) == (True, 2)
    assert rules.offered == {"F", "g"}
    assert rules.names == ReplyNames(tools={"F": "f"}, arguments={"F": {"A": "a"}})
