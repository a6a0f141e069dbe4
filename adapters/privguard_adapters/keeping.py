"""Replies that come later, and those that speak of earlier requests: what the gate asks of the vault."""

from privguard.core.errors import NoVaultError
from privguard_adapters.guarding import Guarding, OpenExchange
from privguard_adapters.wire.fields import is_token
from privguard_adapters.wire.kept_names import names_in, note_of
from privguard_adapters.wire.later import Later
from privguard_adapters.wire.reply_names import ReplyNames


class Binder:
    """Puts what is held of one request under the id of its reply, once."""

    def __init__(self, exchange: OpenExchange, later: Later, *, holds: bool) -> None:
        self._exchange, self._later = exchange, later
        self._waits = holds and later.is_kept

    @property
    def waits(self) -> bool:
        """Tell whether the id is still to come: the vault is asked then, which may take as long as a disk does."""
        return self._waits

    def __call__(self, reference: str) -> None:
        """Take the id of the reply.

        Raises:
            VaultError: the vault could not be used.
        """
        if self._waits and reference and is_token(reference):
            self._waits = False
            self._exchange.bind(reference, keep=bool(self._later.joined))


def check_keeps(guard: Guarding, later: Later) -> None:
    """Refuse what has no answer without the values of other requests, where there is no vault.

    Raises:
        NoVaultError: there is none.
    """
    if later.needs and not guard.keeps:
        raise NoVaultError(
            f"{later.needs} needs a vault: other requests hold the values that replies will speak of. Set "
            "PRIVGUARD_VAULT to memory:, to a path that ends in .sqlite or to redis://…, or give wrap(vault=…); "
            "nothing was sent"
        )


def hold(guard: Guarding, exchange: OpenExchange, later: Later, names: ReplyNames) -> Binder:
    """Keep the values of a request that the provider keeps, and its names, right before it is sent.

    Raises:
        UnheldError: they could not be kept.
    """
    holds = guard.keeps and (later.is_kept or bool(later.joined))
    if holds:
        notes = note_of(names, names_in(exchange.notes))
        exchange.hold(later.joined or None, join=bool(later.joined), notes=notes)
    return Binder(exchange, later, holds=holds)
