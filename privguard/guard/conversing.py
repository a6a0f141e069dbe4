"""Conversations: what the requests of one share, and no request of another has.

The placeholders of a conversation are derived under a key of its own, so that the provider cannot tell that two
conversations speak of one person. What is kept in the vault lies in a scope of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from privguard.core.holding import Owner
from privguard.core.restoring import RestoreTable
from privguard.guard.context import check_conversation, conversation_in_force
from privguard.guard.holding import Holding, before_sending, recall
from privguard.guard.parts import Parts
from privguard.replacements.key import Key

_REFERENCE = "privguard:conversation"  # of its values, within its scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Where a request stands: in a conversation, or by itself."""

    key: Key = field(repr=False)  # that its placeholders are derived from
    holding: Holding
    keeps: bool  # whether its values are kept for the conversation

    def recall(self, earlier: Sequence[str]) -> RestoreTable | None:
        """Return what earlier requests have left for this one, the oldest first.

        Raises:
            UnheldError: the vault could not be used; nothing was sent.
            ConfigError: there is no vault.
        """
        vault, owner = self.holding.vault, self.holding.owner
        # A single text is no list of references; `recall` says so.
        known = [_REFERENCE, *earlier] if self.keeps and not isinstance(earlier, str) else earlier
        return before_sending(lambda: recall(vault, owner, known))

    def keep(self, table: RestoreTable) -> None:
        """Keep the values of a request for the conversation, before it is sent.

        They stay, for the time that the vault is set to, even where the request is refused afterwards: another request
        may have added its own meanwhile.

        Raises:
            UnheldError: the vault could not be used; nothing was sent.
        """
        vault, owner = self.holding.vault, self.holding.owner
        if self.keeps and vault is not None and (table.entries or table.literals):
            before_sending(lambda: vault.put(owner, _REFERENCE, table, join=True))


def setting_of(parts: Parts, owner: Owner | None) -> Setting:
    """Return where a request stands that begins here.

    Args:
        parts: of the guard.
        owner: whose values they are; None for the guard's own.
    """
    name = conversation_in_force()
    base = parts.owner if owner is None else owner
    if name is None:
        return Setting(key=parts.key, holding=Holding(vault=parts.vault, owner=base), keeps=False)
    return Setting(
        key=Key(parts.key.mac("conversation", name)),
        holding=Holding(vault=parts.vault, owner=_within(base, name)),
        keeps=parts.vault is not None,
    )


def forget(parts: Parts, name: str, owner: Owner | None) -> bool:
    """Forget the values of a conversation, and tell whether there were any.

    Raises:
        VaultError: the vault could not be written.
        ConfigError: it is no name of a conversation.
    """
    check_conversation(name)
    base = parts.owner if owner is None else owner
    return parts.vault is not None and parts.vault.delete(_within(base, name), _REFERENCE)


def _within(owner: Owner, name: str) -> Owner:
    # With its length in front no scope and name make the scope of another pair, whoever chooses the name.
    return replace(owner, scope=f"conversation:{len(owner.scope)}:{owner.scope}:{name}")
