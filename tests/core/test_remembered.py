import inspect
import threading
from dataclasses import dataclass, field

from privguard.core.remembered import remembered


@dataclass(frozen=True)
class Text:
    text: str
    asked: list[str] = field(default_factory=list)

    @remembered
    def folded(self) -> str:
        """Return the text without its letter case."""
        self.asked.append("folded")
        return self.text.lower()


def test_it_is_computed_once_for_each_object() -> None:
    one, other = Text("A"), Text("B")
    assert (one.folded, one.folded, other.folded) == ("a", "a", "b")
    assert (one.asked, other.asked) == (["folded"], ["folded"])


def test_a_thread_that_computes_keeps_no_other_object_waiting() -> None:
    begun, may_end = threading.Event(), threading.Event()

    class Slow:
        def __init__(self, *, waits: bool) -> None:
            self.waits = waits

        @remembered
        def answer(self) -> int:
            if self.waits:
                begun.set()
                may_end.wait()
            return 1

    slow = Slow(waits=True)
    thread = threading.Thread(target=lambda: slow.answer)
    thread.start()
    begun.wait()
    other: list[int] = []
    second = threading.Thread(target=lambda: other.append(Slow(waits=False).answer), daemon=True)
    second.start()
    second.join(timeout=60)
    may_end.set()
    thread.join()
    assert other == [1]


def test_the_class_shows_what_it_says() -> None:
    assert isinstance(Text.folded, remembered)
    assert inspect.getdoc(Text.folded) == "Return the text without its letter case."
