import pytest

from privguard.core.audit import Outcome
from privguard.core.errors import UnknownReferenceError
from privguard.core.holding import Owner
from privguard.core.profile import OnReply, Profile
from privguard.guard.notebook import Notebook
from privguard.vault import open_vault
from privguard_adapters.batch_faults import Faults
from privguard_adapters.shelf import Shelf, line_reference
from tests.adapters.fake_guard import FakeExchange, FakeGuard

SAID = "Dear [PERSON_7QK2]"


@pytest.fixture
def guard() -> FakeGuard:
    return FakeGuard()


@pytest.fixture
def shelf() -> Shelf:
    shelf = Shelf(notes=Notebook(vault=open_vault("memory:"), owner=Owner()))
    shelf.add("u", ["a", "b"])
    shelf.name("u", "file-1")
    return shelf


@pytest.fixture
def faults(guard: FakeGuard, shelf: Shelf) -> Faults:
    return Faults(guard, shelf, profile="p", route="openai.batches")


def test_a_message_comes_back_with_the_values_of_its_line(guard: FakeGuard, faults: Faults) -> None:
    assert faults.restored("file-1", 2, SAID) == "Dear Ada Roth"
    faults.close()
    assert (guard.earlier, guard.profiles) == ([(line_reference("u", "b"),)], ["p"])
    assert guard.outcomes == [Outcome.DONE]


def test_a_line_is_taken_up_once_for_all_its_messages(guard: FakeGuard, faults: Faults) -> None:
    assert [faults.restored("file-1", 1, text) for text in (SAID, "x", SAID)] == ["Dear Ada Roth", "x", "Dear Ada Roth"]
    faults.close()
    assert len(guard.exchanges) == 1
    assert guard.outcomes == [Outcome.DONE]


def test_a_message_that_holds_nothing_leaves_no_record(guard: FakeGuard, faults: Faults) -> None:
    assert faults.restored("file-1", 1, "no such model") == "no such model"
    faults.close()
    assert [exchange.outcome for exchange in guard.exchanges] == [None]


@pytest.mark.parametrize("on_reply", [OnReply.FLAG, OnReply.REDACT])
def test_a_message_that_a_detector_looked_at_is_recorded(shelf: Shelf, on_reply: OnReply) -> None:
    guard = FakeGuard(profile=Profile(id="fake:1", name="fake", gamma=0.5, on_reply=on_reply))
    faults = Faults(guard, shelf, profile=None, route="r")
    faults.restored("file-1", 1, "no such model")
    faults.close()
    assert guard.outcomes == [Outcome.DONE]


def test_the_lines_of_a_file_are_read_once_for_all_messages(guard: FakeGuard, shelf: Shelf) -> None:
    asked: list[str] = []

    class Counted(Shelf):
        def order_of(self, upload: str) -> tuple[str, ...]:
            asked.append(upload)
            return super().order_of(upload)

    faults = Faults(guard, Counted(notes=shelf.notes), profile="p", route="openai.batches")
    assert [faults.restored("file-1", line, SAID) for line in (1, 2)] == ["Dear Ada Roth"] * 2
    assert asked == ["u"]


@pytest.mark.parametrize(("file_id", "line"), [("file-1", 0), ("file-1", 3), ("file-2", 1)])
def test_a_message_about_no_line_stays_as_it_is(guard: FakeGuard, faults: Faults, file_id: str, line: int) -> None:
    assert faults.restored(file_id, line, SAID) == SAID
    assert guard.exchanges == []


def test_a_line_of_which_nothing_is_kept_any_more_tells_no_value(shelf: Shelf) -> None:
    asked: list[tuple[str, ...]] = []

    class Expired(FakeGuard):
        def reopen(self, *references: str, profile: str | None = None, route: str = "by-hand") -> FakeExchange:
            asked.append(references)
            raise UnknownReferenceError("nothing is there")

    faults = Faults(Expired(), shelf, profile=None, route="r")
    assert [faults.restored("file-1", 1, SAID) for _ in range(2)] == [SAID] * 2
    assert len(asked) == 1  # each time is recorded
