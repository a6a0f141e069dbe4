"""What the shipped profiles do under a need model: shares of the three actions, for a strong and a weak target.

Every mention counts, decided by the policy alone: floors and the utility floor, without what the plan does afterwards.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from benchmarks.intervals import Estimate, bootstrap
from benchmarks.need.gold import Request
from privguard.core.plan import Action
from privguard.core.protocols import NeedModel
from privguard.minimizer.policy import EntityNeed, choose_entity
from privguard.minimizer.profiles import Profiles

TARGETS = ("gpt-5", "qwen2.5-0.5b")
ACTIONS = (Action.REDACT, Action.ABSTRACT, Action.RETAIN)
Shares = dict[str, dict[str, Estimate]]


def profile_shares(model: NeedModel, requests: Sequence[Request], progress: Callable[..., Any], *, seed: int) -> Shares:
    """Return the share of each action by profile and target, with intervals over requests.

    Args:
        model: what estimates need.
        requests: with gold spans.
        progress: wraps the requests, to show how far they are.
        seed: of the intervals.
    """
    values: list[EntityNeed] = []
    records: list[int] = []
    for number, request in enumerate(progress(requests)):
        needs = model.need(request.segments, request.spans)
        for row in request.rows:
            values.append(EntityNeed(kind=row.kind, needs=tuple(needs[segment][at] for segment, at in row.mentions)))
            records.append(number)
    mentions = np.array([len(value.needs) for value in values], dtype=float)
    profiles = Profiles.from_mapping({})
    found: Shares = {}
    for name in profiles.names:
        for target in TARGETS:
            settings, capability = profiles.resolve(target, name)
            actions = [choose_entity(value, capability, settings).action for value in values]
            found[f"{name}, {target}"] = {
                action.name: _share([one is action for one in actions], mentions, records, seed=seed)
                for action in ACTIONS
            }
    return found


def shares_table(model: str, shares: Shares) -> Table:
    """Return one row per profile and target."""
    table = Table(title=f"{model}: shares of actions by profile and target", caption="by mention; 95 % intervals")
    for column in ("profile, target", *(action.name for action in ACTIONS)):
        table.add_column(column)
    for key, row in shares.items():
        table.add_row(key, *(str(row[action.name]) for action in ACTIONS))
    return table


def _share(hits: Sequence[bool], mentions: NDArray[np.float64], records: Sequence[int], *, seed: int) -> Estimate:
    chosen = np.array(hits, dtype=np.bool_)

    def statistic(rows: NDArray[np.intp]) -> float | None:
        total = mentions[rows].sum()
        return float((mentions[rows] * chosen[rows]).sum() / total) if total else None

    return bootstrap(np.array(records, dtype=np.intp), statistic, seed=seed)
