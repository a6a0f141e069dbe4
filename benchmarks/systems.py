"""What is measured: guards of ours under names, and peers, behind one face."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from benchmarks.corpora import Item, segments_of
from benchmarks.detection.score import Found, Rows
from benchmarks.guards import TARGET, build_guard, build_rules_guard
from benchmarks.peers.catalogue import PEERS
from benchmarks.peers.client import PeerProcess, start
from privguard.core.errors import ConfigError, ProtectionError
from privguard.core.plan import Action
from privguard.guard import Guard

OURS = ("default", "rules")


class System(Protocol):
    """Something that finds spans."""

    name: str
    version: str

    @property
    def failed(self) -> int:
        """Return the number of texts or conversations that it gave no answer for."""
        ...

    def find(self, item: Item) -> Rows:
        """Return what is found in each text of an item."""
        ...


class GuardSystem:
    """A guard, whole: what its plan names is what it found. A conversation is one request."""

    def __init__(self, name: str, guard: Guard) -> None:
        self.name = name
        self.guard = guard
        self.version = f"{guard.parts.detector.id} | {guard.parts.need.id}"
        self._refused = 0

    @property
    def failed(self) -> int:
        """Return the number of requests that were refused."""
        return self._refused

    def find(self, item: Item) -> Rows:
        """Return the spans of the plan; a request that is refused is counted, and finds nothing."""
        try:
            exchange = self.guard.begin(segments_of(item), target=TARGET, profile="default")
        except ProtectionError:
            self._refused += 1
            return tuple(() for _ in item.texts)
        return tuple(
            tuple(
                Found(
                    start=each.span.start,
                    end=each.span.end,
                    label=each.span.kind.value,
                    score=each.span.score,
                    kept=each.action is Action.RETAIN,
                )
                for each in row
            )
            for row in exchange.plan.decisions
        )


class PeerSystem:
    """A peer: it reads one text at a time."""

    def __init__(self, process: PeerProcess) -> None:
        self._process = process
        self.name = process.name
        self.version = process.version

    @property
    def failed(self) -> int:
        """Return the number of texts without an answer."""
        return self._process.failed

    def find(self, item: Item) -> Rows:
        """Return what the peer finds in each text."""
        return tuple(self._process.ask(text.text).found for text in item.texts)


def names_of(systems: Sequence[str], models: Sequence[str]) -> list[str]:
    """Return the names to open: the systems asked for, and one per model.

    Raises:
        ConfigError: a name is not known.
    """
    if unknown := sorted(set(systems) - {*OURS, *PEERS}):
        raise ConfigError(f"no system is called {', '.join(unknown)}; there are {', '.join((*OURS, *PEERS))}")
    return [*systems, *(f"model:{model}" for model in models)]


@contextmanager
def opened(name: str, *, device: str | None = None) -> Iterator[System]:
    """Open a system by name: `default`, `rules`, `model:NAME`, `model:FOLDER`, or a peer."""
    if name in PEERS:
        with start(name) as process:
            yield PeerSystem(process)
    elif name.startswith("model:"):
        yield GuardSystem(name, build_guard(name.removeprefix("model:"), device=device))
    else:
        yield GuardSystem(name, build_rules_guard() if name == "rules" else build_guard(device=device))
