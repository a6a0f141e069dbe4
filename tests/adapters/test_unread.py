import pytest

from privguard.core.errors import UnknownContentError
from privguard_adapters.unread import Unread, unread_codec
from privguard_adapters.wire.reply import ReplyRules


def test_nothing_is_restored() -> None:
    exchange = Unread()
    assert exchange.restore("[PERSON_7QK2]") == "[PERSON_7QK2]"
    stream = exchange.stream()
    assert (stream.feed("[PERSON_"), stream.holds, stream.flush()) == ("[PERSON_", False, "")
    assert exchange.profile.tools == {}


def test_the_reply_is_told_on() -> None:
    told: list[str] = []

    def take(text: str) -> str:
        told.append(text)
        return text

    codec = unread_codec("openai.files", take)
    assert codec.replies is not None
    assert codec.replies.whole("x", Unread(), ReplyRules()) == "x"
    assert told == ["x"]
    with pytest.raises(UnknownContentError):
        codec.read_request(b"{}")
