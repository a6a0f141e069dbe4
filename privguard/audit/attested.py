"""Compare a chain with its checkpoints, in one pass over both."""

from collections.abc import Iterable, Sequence

from privguard.audit.chain import Row, chain_id_of
from privguard.audit.checkpoints import Checkpoint, PublicKey
from privguard.audit.faults import FaultKind, FaultLog

_NEVER = 2**63


class Attested:
    """Where the comparison stands.

    Args:
        checkpoints: in the order of their rows. One that comes late is passed over, as if it were missing.
        keys: whose signatures count. Without any, the rows are compared and no signature is.
        log: where the faults go.
    """

    def __init__(self, checkpoints: Iterable[Checkpoint], keys: Sequence[PublicKey], log: FaultLog) -> None:
        self._checkpoints = iter(checkpoints)
        self._keys = {key.key_id: key for key in keys}
        self._log = log
        self._chain = ""
        self._next: Checkpoint | None = None
        self.signed: Checkpoint | None = None  # the newest that holds
        self.next_seq = _NEVER  # the row that the next checkpoint speaks of
        self._advance()

    def take_genesis(self, genesis: Row) -> None:
        """Learn which chain it is."""
        self._chain = chain_id_of(genesis)

    def take(self, row: Row) -> None:
        """Compare the next row in order, which the next checkpoint speaks of or has been waiting for in vain."""
        while self._next is not None and self.next_seq <= row.seq:
            if self.next_seq == row.seq:
                self._compare(self._next, row)
            self._advance()

    def finish(self, end: int) -> None:
        """Draw the conclusions when the chain has ended before the row `end`."""
        last = -1
        while self._next is not None:
            if self.next_seq >= end and self._is_genuine(self._next) and self._is_of_this_chain(self._next):
                last = max(last, self.next_seq)
            self._advance()
        if last >= end:
            self._log.add(FaultKind.TRUNCATED, end, last)
        if self._keys and self.signed is None:
            self._log.add(FaultKind.UNSIGNED, 0)

    def _compare(self, checkpoint: Checkpoint, row: Row) -> None:
        if not self._is_genuine(checkpoint) or not self._is_of_this_chain(checkpoint):
            return
        if checkpoint.hash != row.hash:
            self._log.add(FaultKind.REWRITTEN, row.seq)
        elif checkpoint.key_id in self._keys:
            self.signed = checkpoint

    def _is_genuine(self, checkpoint: Checkpoint) -> bool:
        """Tell whether it was signed with its key, as far as that key was given."""
        key = self._keys.get(checkpoint.key_id)
        if key is None or key.accepts(checkpoint.message, checkpoint.signature):
            return True
        self._log.add(FaultKind.FORGED, checkpoint.seq)
        return False

    def _is_of_this_chain(self, checkpoint: Checkpoint) -> bool:
        # Without a genesis nothing is known of the chain, and that is a fault of its own.
        if self._chain in ("", checkpoint.chain):
            return True
        self._log.add(FaultKind.OTHER_CHAIN, checkpoint.seq)
        return False

    def _advance(self) -> None:
        self._next = next(self._checkpoints, None)
        self.next_seq = _NEVER if self._next is None else self._next.seq
