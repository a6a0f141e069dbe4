"""What a guard is made of."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter

from privguard.core.holding import Owner
from privguard.core.protocols import Abstractor, AuditSink, Detector, NeedModel, ProfileBook, Vault
from privguard.replacements.key import Key


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything that a guard is made of."""

    detector: Detector
    need: NeedModel
    abstractor: Abstractor
    profiles: ProfileBook
    sink: AuditSink
    key: Key = field(repr=False)
    scanner: Detector | None = None  # for names, ids and the like, which are no sentences; default: the detector
    vault: Vault | None = None  # for replies that come later
    owner: Owner = field(default_factory=Owner)  # whose values those are, unless a call says otherwise
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC), repr=False)
    timer: Callable[[], float] = field(default=perf_counter, repr=False)  # seconds
    new_id: Callable[[], str] = field(default=lambda: secrets.token_hex(8), repr=False)
