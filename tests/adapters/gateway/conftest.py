"""A gateway on the loopback interface, between real clients and the scripted model server."""

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from privguard.core.entities import EntityType
from privguard.core.plan import Action
from privguard.core.profile import Profile
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import (
    Canary,
    FakeAbstractor,
    FakeDetector,
    FakeNeed,
    FakeProfiles,
    ListSink,
    ModelServer,
    all_canaries,
    values_of,
)
from privguard_adapters.gateway.app import build_app
from privguard_adapters.gateway.serving import listen, make_server, url_of
from privguard_adapters.gateway.settings import Settings

ALL_COME_BACK = Profile(id="test:1", name="test", gamma=0.5, restore_secrets=True)
OPEN_TO_NAMES = Profile(id="open:1", name="open", gamma=0.5, ceilings={EntityType.PERSON: Action.RETAIN})


class Gateway:
    """One running gateway."""

    def __init__(self, guard: Guard, settings: Settings) -> None:
        self._listening = listen(settings)
        self.base_url = url_of(self._listening)
        self.root_url = self.base_url.removesuffix("/v1")
        self.address: tuple[str, int] = self._listening.getsockname()[:2]
        self._server = make_server(build_app(guard, settings), settings)
        self._thread = threading.Thread(target=self._server.run, args=([self._listening],), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask it to end; do not wait."""
        self._server.should_exit = True

    def join(self) -> None:
        """Wait until it has ended."""
        self._thread.join(30)
        assert not self._thread.is_alive()


Starter = Callable[..., Gateway]


@pytest.fixture
def sink() -> ListSink:
    return ListSink()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def guard(sink: ListSink) -> Guard:
    return make_guard(sink)


def make_guard(sink: ListSink, **parts: Any) -> Guard:  # noqa: ANN401 - parts of the guard
    values = values_of(all_canaries()) | values_of(Canary.person(seed) for seed in range(60))
    return Guard(
        Parts(
            **{
                "detector": FakeDetector(values),
                "need": FakeNeed(b_redact=-9.0, b_abstract=-9.0),
                "abstractor": FakeAbstractor(),
                "profiles": FakeProfiles(ALL_COME_BACK, OPEN_TO_NAMES),
                "sink": sink,
                "key": Key.from_text("correct horse battery staple"),
                **parts,
            }
        )
    )


@pytest.fixture
def start(server: ModelServer, guard: Guard, caplog: pytest.LogCaptureFixture) -> Iterator[Starter]:
    """Start gateways; all are stopped at the end. Their log lines are in `caplog`.

    They have more time of grace than anybody waits for their end: what ends is not ended by them.
    """
    caplog.set_level(logging.INFO, logger="privguard.gateway")
    started: list[Gateway] = []

    def begin(guard: Guard = guard, **settings: Any) -> Gateway:  # noqa: ANN401 - fields of the settings
        chosen: dict[str, Any] = {"upstream": server.base_url, "port": 0, "grace_s": 3600.0} | settings
        gateway = Gateway(guard, Settings(**chosen))
        started.append(gateway)
        return gateway

    yield begin
    for gateway in started:
        gateway.stop()
    for gateway in started:
        gateway.join()


@pytest.fixture
def gateway(start: Starter) -> Gateway:
    return start()
