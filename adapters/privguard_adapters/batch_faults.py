"""What the provider says of single lines of a batch file: it comes back with the values of that line alone."""

from contextvars import copy_context

from privguard.core.audit import Outcome
from privguard.core.errors import UnknownReferenceError
from privguard.core.profile import OnReply
from privguard_adapters.guarding import Guarding, KeptExchange
from privguard_adapters.shelf import Shelf, line_reference


class Faults:
    """The messages of `batch.errors`, each of which names a line."""

    def __init__(self, guard: Guarding, shelf: Shelf, *, profile: str | None, route: str) -> None:
        """Take note of where the batch is asked for: lines are taken up in that conversation, under that profile."""
        self._guard, self._shelf, self._profile, self._route = guard, shelf, profile, route
        self._context = copy_context()
        self._orders: dict[str, tuple[str, tuple[str, ...]] | None] = {}  # of files: their upload, and its lines
        self._opened: dict[str, KeptExchange | None] = {}  # by what the values of a line are kept under
        self._told: list[KeptExchange] = []  # those that have something to record

    def restored(self, file_id: str, line: int, text: str) -> str:
        """Return a message about a line with the values of that line; as it is where nothing is kept of it.

        Args:
            file_id: of the file that the line stands in.
            line: its number, from 1.
            text: the message.

        Raises:
            VaultError: the vault could not be used.
            RestoreError: the message could not be restored.
        """
        if file_id not in self._orders:
            found = self._shelf.upload_of(file_id)
            self._orders[file_id] = None if found is None else (found, tuple(self._shelf.order_of(found)))
        upload, custom_ids = self._orders[file_id] or ("", ())
        if not 0 < line <= len(custom_ids):
            return text
        exchange = self._take_up(line_reference(upload, custom_ids[line - 1]))
        if exchange is None:
            return text
        try:
            restored = exchange.restore(text, path="errors")
        except Exception as error:
            exchange.close(Outcome.FAILED, error)
            raise
        # What a detector has looked at is recorded, whatever it found.
        if restored != text or exchange.profile.on_reply is not OnReply.PASS:
            self._told.append(exchange)
        return restored

    def close(self) -> None:
        """Record what was restored, once for each line. Lines whose messages hold nothing leave no record."""
        for exchange in self._told:
            exchange.close()

    def _take_up(self, reference: str) -> KeptExchange | None:
        if reference not in self._opened:
            try:
                self._opened[reference] = self._context.run(
                    lambda: self._guard.reopen(reference, profile=self._profile, route=self._route),
                )
            except UnknownReferenceError:
                self._opened[reference] = None
        return self._opened[reference]
