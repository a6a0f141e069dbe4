"""Exchanges whose reply came later: what the vault keeps of a request that is over."""

from collections.abc import Sequence
from dataclasses import replace

from privguard.core.errors import UnknownReferenceError
from privguard.core.plan import Plan
from privguard.core.profile import Profile
from privguard.core.segments import Segment
from privguard.core.targets import TargetModel
from privguard.guard.exchange import Exchange
from privguard.guard.hidden import Hidden
from privguard.guard.holding import Holding, after_sending, recall
from privguard.guard.life import Life
from privguard.guard.parts import Parts
from privguard.guard.reply import Judges, Sent


def reopen(
    parts: Parts,
    holding: Holding,
    references: Sequence[str],
    judges: Judges,
    *,
    settings: tuple[Profile, TargetModel],
    route: str,
) -> Exchange[tuple[Segment, ...]]:
    """Return an exchange that restores what is kept under the references, and sends nothing.

    Values stand in the URLs that the requests and the profile of today allow.

    Raises:
        UnknownReferenceError: nothing is kept there for this owner.
        VaultError: the vault could not be used.
        ConfigError: there is no vault.
    """
    profile, model = settings
    table = after_sending(lambda: recall(holding.vault, holding.owner, references))
    if table is None:
        raise UnknownReferenceError(
            "the vault holds nothing under this reference for this tenant and scope: it was never held, has expired, "
            "or lies under another key"
        )
    hosts = tuple([host for host in table.url_hosts if host in profile.url_hosts])
    taken = references[0] if len(references) == 1 else ""
    life = Life(
        request_id=parts.new_id(),
        at=parts.now().isoformat(),
        route=route,
        plan=Plan(decisions=(), target=model, profile_id=profile.id, artifact_ids=()),
        profile=profile,
        paths=(),
        table=replace(table, url_hosts=hosts),
        holding=replace(holding, reference=taken, taken=taken),
        hidden=Hidden(),
        emit=parts.sink.write,
        timer=parts.timer,
        stage_ms={},
        judge=judges.of(profile, lambda: Sent.of((), (), table)),
    )
    return Exchange(life, ())
