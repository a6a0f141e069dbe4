import pytest

from privguard.core.errors import ConfigError
from privguard.sessions import session


class Client:
    """A client with a session."""

    def __init__(self) -> None:
        self.privguard = self


def test_the_session_of_a_client_is_what_its_adapter_has_put_there() -> None:
    client = Client()
    assert session(client) is client  # type: ignore[comparison-overlap]  # a client that is its own session


class Slotted:
    """A client without attributes."""

    __slots__ = ()


@pytest.mark.parametrize("client", [None, 5, "x", Slotted()], ids=["none", "number", "text", "slotted"])
def test_what_has_no_session_is_told(client: object) -> None:
    with pytest.raises(ConfigError, match=r"OpenAI and Anthropic .*wrap.* have a session; .*last_exchange"):
        session(client)
