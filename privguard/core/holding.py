"""Whose values are kept for a later reply."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who may get values back. What one owner keeps, no other finds: an owner is equal in both fields or another one.

    Both are texts of the caller's choice, and no secrets: they keep apart, they do not authenticate.
    """

    tenant: str = field(default="", repr=False)  # a customer, a user, a workspace
    scope: str = field(default="", repr=False)  # within the tenant: a conversation, a client, an account
