"""The routes of the Responses API: what is asked, what is asked for again, and conversations."""

from collections.abc import Sequence

from privguard_adapters.wire.later import Later
from privguard_adapters.wire.openai_responses import CONVERSATION, CONVERSATIONS, RESPONSES, TOKENS
from privguard_adapters.wire.route import Route, finder, path_ids

_LATER = "a response that is asked for again"


def _responses(method: str, rest: Sequence[str]) -> Route | None:
    if method == "POST" and not rest:
        return Route(name=RESPONSES.name, codec=RESPONSES)
    if method == "POST" and rest == ["input_tokens"]:
        return Route(name=TOKENS.name, codec=TOKENS)
    if not rest or rest[0] in ("compact", "input_tokens"):
        return None
    shape, given = (method, *rest[1:]), path_ids(rest[:1])
    if shape in (("GET",), ("GET", "input_items"), ("POST", "cancel")):
        later = Later(reopened=given[0].text, needs=_LATER)
        return Route(name=RESPONSES.name, codec=RESPONSES, checks=given, later=later)
    return Route(name=RESPONSES.name, checks=given) if shape == ("DELETE",) else None


def _conversations(method: str, rest: Sequence[str]) -> Route | None:
    name = CONVERSATIONS.name
    if not rest:
        return Route(name=name, codec=CONVERSATIONS) if method == "POST" else None
    if rest[1:2] not in ([], ["items"]) or len(rest) > 3:
        return None
    given = path_ids([rest[0], *rest[2:]])
    conversation = given[0].text
    if method == "POST":
        added = Later(joined=conversation, needs=CONVERSATION)
        return Route(name=name, codec=CONVERSATIONS, checks=given, later=added) if len(rest) < 3 else None
    if method == "DELETE" and len(rest) == 1:
        return Route(name=name, checks=given)
    if method == "GET" or (method == "DELETE" and len(rest) == 3):
        later = Later(reopened=conversation, needs=CONVERSATION)
        return Route(name=name, codec=CONVERSATIONS, checks=given, later=later)
    return None


find_responses = finder({"responses": _responses, "conversations": _conversations})
