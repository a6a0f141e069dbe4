"""A guard that knows literal values and writes each as a fixed placeholder: small enough to be an oracle."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from privguard.core.audit import AuditRecord, Outcome
from privguard.core.entities import EntityType
from privguard.core.errors import ProtectionError
from privguard.core.holding import Owner
from privguard.core.profile import Profile
from privguard.core.segments import Channel, Segment
from privguard.core.views import View
from privguard.guard.holding import NO_NOTES
from privguard.guard.notebook import Notebook
from privguard.vault import open_vault

VALUES = {
    "Ada Roth": "[PERSON_7QK2]",
    'Ben "Ace" Kole': "[PERSON_9XY3]",
    "ada@roth.example": "[EMAIL_4MN5]",
    "4111111111111111": "[FIN_ACCOUNT_8TT9]",
    "ada_roth": "[USERNAME_3HH7]",
}
_MARK = re.compile(r"\[?([A-Z_]+_[2-9A-Z]{4})\]?")


@dataclass(slots=True)
class FakeStream:
    """Hold back from an open bracket to its end."""

    exchange: "FakeExchange"
    channel: Channel
    view: View | None
    held: str = ""

    @property
    def holds(self) -> bool:
        return bool(self.held)

    def feed(self, chunk: str) -> str:
        text = self.held + chunk
        start = text.rfind("[")
        cut = start if start >= 0 and "]" not in text[start:] and len(text) - start < 40 else len(text)
        self.held = text[cut:]
        return self.exchange.replace_marks(text[:cut], self.channel, self.view)

    def pause(self) -> str:
        return self.flush()

    def flush(self) -> str:
        rest, self.held = self.held, ""
        return self.exchange.replace_marks(rest, self.channel, self.view)


@dataclass(slots=True)
class FakeExchange:
    outgoing: tuple[Segment, ...]
    profile: Profile
    known: Mapping[str, str]
    paths: list[str] = field(default_factory=list)  # of everything that was restored
    refused: list[str] = field(default_factory=list)  # likewise, where nothing may stand
    views: dict[str, View | None] = field(default_factory=dict)  # by path, the last one
    outcome: Outcome | None = None
    error: str = ""
    hidden: tuple[str, ...] = ()  # values that stood in the content
    kept: list[str] = field(default_factory=list)  # what was asked of the vault
    ended: Callable[[], None] = lambda: None

    def replace_marks(self, text: str, channel: Channel, view: View | None) -> str:
        kinds = frozenset(EntityType) if view is None else view.kinds

        def value(match: re.Match[str]) -> str:
            known = self.known.get(f"[{match[1]}]")
            if known is None or match[1].rpartition("_")[0] not in kinds:
                return match[0]
            return json.dumps(known, ensure_ascii=False)[1:-1] if channel is Channel.JSON else known

        return _MARK.sub(value, text)

    def restore(self, text: str, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None) -> str:
        self._note(path, view)
        return self.replace_marks(text, channel, view)

    def stream(self, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None) -> FakeStream:
        self._note(path, view)
        return FakeStream(self, channel, view)

    def _note(self, path: str, view: View | None) -> None:
        self.views[path] = view
        (self.paths if view is None or view.kinds else self.refused).append(path)

    def hides(self, text: str, *, chosen: bool = False) -> bool:
        return any(value in text for value in self.hidden)

    @property
    def request_id(self) -> str:
        return "r"

    @property
    def notes(self) -> Mapping[str, str]:
        return {}

    def release(self) -> None:
        self.kept.append("release")

    def hold(self, reference: str | None = None, *, join: bool = False, notes: Mapping[str, str] = NO_NOTES) -> str:
        self.kept.append(f"{'join' if join else 'hold'} {reference or 'r'}")
        return reference or "r"

    def bind(self, reference: str, *, keep: bool = False) -> None:
        self.kept.append(f"{'keep' if keep else 'bind'} {reference}")

    def close(self, outcome: Outcome = Outcome.DONE, error: BaseException | None = None) -> AuditRecord:
        if self.outcome is None:
            self.outcome, self.error = outcome, type(error).__name__ if error is not None else ""
            self.ended()
        return AuditRecord(
            request_id="r", at="", route="", target="", theta=0.0, target_provenance="", profile_id="",
            artifact_ids=(), outcome=self.outcome,
        )  # fmt: skip


@dataclass(slots=True)
class FakeGuard:
    """Replace `values` by their placeholders; keep every exchange and every refusal."""

    values: Mapping[str, str] = field(default_factory=lambda: dict(VALUES))
    content_only: tuple[str, ...] = ()  # values that no scan finds, hidden where the content holds them
    profile: Profile = field(default_factory=lambda: Profile(id="fake:1", name="fake", gamma=0.5))
    exchanges: list[FakeExchange] = field(default_factory=list)
    blocked: list[tuple[str, str]] = field(default_factory=list)
    profiles: list[str | None] = field(default_factory=list)
    failure: ProtectionError | None = None
    keys: list[str] = field(default_factory=list)  # under which texts were scanned
    keeps: bool = False
    earlier: list[tuple[str, ...]] = field(default_factory=list)  # of which requests were told to speak

    def begin(
        self,
        segments: Sequence[Segment],
        *,
        target: str,
        profile: str | None = None,
        route: str = "by-hand",
        earlier: Sequence[str] = (),
    ) -> FakeExchange:
        if self.failure is not None:
            raise self.failure
        self.earlier.append(tuple(earlier))
        self.profiles.append(profile)
        exchange = FakeExchange(
            outgoing=tuple(replace(segment, text=self.hide(segment.text)) for segment in segments),
            profile=self.profile,
            known={mark: value for value, mark in self.values.items()},
            hidden=tuple(value for value in self.content_only if any(value in each.text for each in segments)),
            ended=self.ended,
        )
        self.exchanges.append(exchange)
        return exchange

    def reopen(self, *references: str, profile: str | None = None, route: str = "by-hand") -> FakeExchange:
        return self.begin((), target="", profile=profile, route=route, earlier=references)

    def notebook(self) -> Notebook:
        return Notebook(vault=open_vault("memory:"), owner=Owner())

    def ended(self) -> None:
        """Be told that an exchange was closed."""

    def hide(self, text: str) -> str:
        for value, mark in self.values.items():
            text = text.replace(value, mark)
        return text

    def block(self, *, route: str, error: BaseException, target: str = "") -> None:
        self.blocked.append((route, type(error).__name__))

    def scan(self, text: str, *, key: str = "") -> bool:
        self.keys.append(key)
        return self.hide(text) != text

    def rehearsal(self) -> "FakeGuard":
        return replace(self, exchanges=[], blocked=[], profiles=[], keys=[])

    @property
    def outcomes(self) -> list[Outcome | None]:
        return [exchange.outcome for exchange in self.exchanges]
