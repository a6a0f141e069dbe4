"""Notes are kept for their owner, beside values and without them."""

from collections.abc import Callable

import pytest

from privguard.core.errors import ConfigError
from privguard.core.holding import Owner
from privguard.guard import Guard, conversation
from privguard.guard.shapes import text_segments
from privguard.vault import open_vault

MakeGuard = Callable[..., Guard]


@pytest.fixture
def keeping(make_guard: MakeGuard) -> Guard:
    return make_guard(vault=open_vault("memory:"))


def test_notes_are_added_to_those_that_are_there(keeping: Guard) -> None:
    keeping.notebook().add("file:1", {"upload": "a", "seen": ""})
    keeping.notebook().add("file:1", {"upload": "b"})
    assert keeping.notebook().read("file:1") == {"upload": "b", "seen": ""}


def test_what_was_erased_is_not_there(keeping: Guard) -> None:
    keeping.notebook().add("file:1", {"upload": "a"})
    assert keeping.notebook().erase("file:1")
    assert not keeping.notebook().erase("file:1")
    assert keeping.notebook().read("file:1") is None


def test_another_owner_and_another_conversation_have_none(keeping: Guard) -> None:
    keeping.notebook().add("file:1", {"upload": "a"})
    assert keeping.notebook(Owner(tenant="other")).read("file:1") is None
    with conversation("one"):
        assert keeping.notebook().read("file:1") is None


def test_a_notebook_stays_in_the_conversation_that_it_was_opened_in(keeping: Guard) -> None:
    with conversation("one"):
        notebook = keeping.notebook()
    notebook.add("file:1", {"upload": "a"})
    assert keeping.notebook().read("file:1") is None
    with conversation("one"):
        assert keeping.notebook().read("file:1") == {"upload": "a"}


def test_without_a_vault_there_is_none(make_guard: MakeGuard) -> None:
    with pytest.raises(ConfigError, match="PRIVGUARD_VAULT"):
        make_guard().notebook()


def test_values_are_held_with_notes_and_taken_up_with_them(keeping: Guard) -> None:
    exchange = keeping.begin(text_segments("I am Ada Roth"), target="m")
    exchange.hold("line", notes={"rules": "{}"})
    reopened = keeping.reopen("line")
    assert reopened.notes == {"rules": "{}"}
    assert reopened.restore(exchange.outgoing[0].text) == "I am Ada Roth"


def test_notes_of_an_earlier_request_are_not_those_of_the_next(keeping: Guard) -> None:
    keeping.begin(text_segments("I am Ada Roth"), target="m").hold("one", notes={"rules": "{}"})
    keeping.begin(text_segments("Who?"), target="m", earlier=["one"]).hold("two")
    assert keeping.reopen("two").notes == {}
