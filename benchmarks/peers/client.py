"""Ask a peer in its own process."""

import json
import subprocess
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from benchmarks.detection.score import Found
from benchmarks.peers.catalogue import PEERS, ROOT, Peer, kind_named
from privguard.core.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a peer says of one text."""

    found: tuple[Found, ...]
    ms: tuple[float, ...]  # one per repetition, without transport
    failed: bool = False


class PeerProcess:
    """One peer at work. Close it, or use it in a `with` block."""

    def __init__(self, peer: Peer) -> None:
        """Start the peer and wait until it is warm.

        Raises:
            ConfigError: it is not installed, or it does not start.
        """
        if not peer.python.exists():
            raise ConfigError(f"the peer {peer.name} is not installed: python -m benchmarks.peers.install")
        command = [str(peer.python), "-m", peer.server, *peer.arguments]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.name = peer.name
        self.failed = 0
        hello = self._read()
        self.version = str(hello["version"])
        self.load_s = float(hello["load_s"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def ask(self, text: str, repeat: int = 1) -> Answer:
        """Return what the peer finds in a text; a failure is counted and finds nothing."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"text": text, "repeat": repeat}) + "\n")
        self._process.stdin.flush()
        answer = self._read()
        if "error" in answer:
            self.failed += 1
            return Answer(found=(), ms=(), failed=True)
        found = tuple(
            Found(start=start, end=end, label=kind_named(label).value, score=score)
            for start, end, label, score in answer["spans"]
            if start < end
        )
        return Answer(found=found, ms=tuple(answer["ms"]))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ConfigError(
                f"the peer {getattr(self, 'name', '')} ended unexpectedly; run its server by hand to see why"
            )
        answer: dict[str, Any] = json.loads(line)
        return answer


def start(name: str) -> PeerProcess:
    """Start a peer by its name."""
    return PeerProcess(PEERS[name])
