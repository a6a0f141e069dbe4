"""Exchange: one request under protection, from the minimized text to the audit record."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Generic, TypeVar

from privguard.core.audit import AuditRecord, Outcome
from privguard.core.errors import RestoreError
from privguard.core.plan import Plan
from privguard.core.profile import Profile
from privguard.core.restoring import Restored, RestoreTable
from privguard.core.segments import Channel
from privguard.core.views import View
from privguard.guard.hidden import Hidden
from privguard.guard.holding import NO_NOTES
from privguard.guard.life import ExchangeStream, Life, restore_screened
from privguard.guard.recording import record_of
from privguard.guard.reply import Screen

Out = TypeVar("Out")
Other = TypeVar("Other")


class Exchange(Generic[Out]):
    """One request: what leaves, how its reply comes back, and the record of both.

    Sync and pure but for the sink that `close` writes to. Threads may restore different streams at the same time.
    """

    def __init__(self, life: Life, outgoing: Out) -> None:
        self._life = life
        self._outgoing = outgoing

    @property
    def outgoing(self) -> Out:
        """Return the minimized content, in the shape that came in."""
        return self._outgoing

    @property
    def plan(self) -> Plan:
        """Return every decision with its reason."""
        return self._life.plan

    @property
    def profile(self) -> Profile:
        """Return the profile in force."""
        return self._life.profile

    @property
    def request_id(self) -> str:
        """Return the random id of the audit record."""
        return self._life.request_id

    @property
    def closed(self) -> bool:
        """Tell whether the record has been written."""
        return self._life.record is not None

    def reshaped(self, outgoing: Other) -> "Exchange[Other]":
        """Return the same exchange with its content in another shape."""
        return Exchange(self._life, outgoing)

    def hides(self, text: str, *, chosen: bool = False) -> bool:
        """Tell whether `text`, to be sent beside the content, holds a value that the plan abstracts or redacts.

        Args:
            text: a header value, a query value, an id or a name.
            chosen: whether the developer chose it, as the names of models and tools: plain words and values of
                quasi-identifying types do not count there.
        """
        return self._life.hidden.stands_in(text, chosen=chosen)

    def restore(self, text: str, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None) -> str:
        """Put the real values into a whole reply.

        Args:
            text: the reply, or a part of it that stands for itself.
            channel: how values are escaped.
            path: where it stands, for the record.
            view: what may stand there; default: what the profile lets the user see.

        Raises:
            RestoreError: the exchange is closed, `text` is not a text, there is no such channel, or the profile redacts
                values of the model's own and they could not be looked for.
        """
        if not isinstance(text, str):
            raise RestoreError(f"restore() takes the text of a reply, not {type(text).__name__}")
        return self.restore_whole(text, channel, path, view=view).text

    def restore_whole(
        self, text: str, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None
    ) -> Restored:
        """Restore like `restore`, and return the events of this text as well."""
        channel = _known(channel)
        # In this order: an exchange that closes in between has no judge any more.
        judge, restorer = self._life.judge, self._life.open_restorer(view)
        started = self._life.timer()
        restored = (
            restorer.restore(text, channel, begun=self._life.begun)
            if judge is None
            else restore_screened(restorer, text, channel, judge, begun=self._life.begun)
        )
        self._life.add_time("restore" if judge is None else "reply", self._life.timer() - started)
        self._life.note(restored.events, path)
        return restored

    def stream(self, channel: Channel = Channel.TEXT, path: str = "", *, view: View | None = None) -> ExchangeStream:
        """Open R over a stream of text, with the arguments of `restore`.

        Raises:
            RestoreError: the exchange is closed, or there is no such channel.
        """
        channel = _known(channel)
        judge, restorer = self._life.judge, self._life.open_restorer(view)
        opened = restorer.stream(channel, notes_extents=judge is not None, begun=self._life.begun)
        stream = ExchangeStream(self._life, opened, path, None if judge is None else Screen(judge, channel))
        with self._life.lock:
            self._life.streams.append(stream)
        return stream

    @property
    def notes(self) -> Mapping[str, str]:
        """Return the notes that are kept with the values that were taken up."""
        return dict(self._life.table.notes)

    def hold(
        self,
        reference: str | None = None,
        *,
        ttl_s: float | None = None,
        join: bool = False,
        notes: Mapping[str, str] = NO_NOTES,
    ) -> str:
        """Keep the values for a reply that comes later, before the request is sent, and return their reference.

        Args:
            reference: where they are found again; default: the request id, until `bind` tells a better one.
            ttl_s: how long they are kept, in seconds; default: as the vault is set.
            join: whether they are added to what is there already, where the provider's id is known before.
            notes: texts that are kept with them, by name: what the reply must be read by, besides.

        Raises:
            UnheldError: they could not be kept; nothing was sent.
            ConfigError: there is no vault.
            RestoreError: the exchange is closed.
        """
        self._life.open_restorer()
        at = self.request_id if reference is None else reference
        self._life.holding.hold(self._life.table, at, ttl_s, join=join, notes=notes)
        return self._life.holding.reference

    def bind(self, reference: str, *, join: bool = False, keep: bool = False) -> None:
        """Put what is held under the id that the provider gave: of a response, a batch, a file, a conversation.

        Works after `close` too, and after `Guard.reopen` in another process. A crash in between leaves the values where
        they were, or in both places.

        Args:
            reference: where they are found from now on.
            join: whether they are added to what is there already, as for the next turn of a conversation. Otherwise a
                reference that has other values is refused.
            keep: whether they stay where they are as well.

        Raises:
            VaultError: nothing is held, the reference is taken, or the vault could not be used.
        """
        self._life.holding.bind(reference, join=join, keep=keep)

    def release(self) -> None:
        """Forget what is held: no reply comes later, or the last one is in hand.

        Raises:
            VaultError: the vault could not be used; what is held expires.
        """
        self._life.holding.release()

    def close(self, outcome: Outcome = Outcome.DONE, error: BaseException | None = None) -> AuditRecord:
        """End the exchange, forget its values and write its record. The first call wins; later ones return its record.

        What is held stays in the vault, unless nothing was sent.

        Raises:
            AuditError: the sink could not write.
        """
        life = self._life
        for stream in tuple(life.streams):
            stream.leave()
        with life.lock:
            if life.record is not None:
                return life.record
            life.record = record = record_of(life, outcome, error)
            life.restorers.clear()
            life.table = RestoreTable(entries={})
            life.hidden = Hidden()
            life.judge, life.begun = None, ""
        if outcome is Outcome.BLOCKED:
            life.holding.drop()
        life.watch(record)
        life.emit(record)
        return record

    def __enter__(self) -> "Exchange[Out]":
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close(Outcome.DONE if error is None else Outcome.FAILED, error)

    def __repr__(self) -> str:
        return f"Exchange({self.request_id}, {self._life.route}, decisions={sum(1 for _ in self.plan)})"


def _known(channel: Channel) -> Channel:
    """Return the channel, which callers may spell as its value."""
    with suppress(ValueError):
        return Channel(channel)
    raise RestoreError(f"there is no such channel: it is {', '.join(Channel)}, or a member of Channel")
