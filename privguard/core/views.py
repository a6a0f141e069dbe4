"""Views: which values one place of a reply may show, as the profile in force says.

The user's view is all that a person reads: contents, refusals, annotations. What a tool gets has a view of its own.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import reduce

from privguard.core.audit import Cause
from privguard.core.entities import EntityType
from privguard.core.profile import Profile, ToolRule
from privguard.core.restoring import RestoreEntry, RestoreTable

_ALL = frozenset(EntityType)
_OPEN = _ALL - {EntityType.SECRET}
_REMOTE = ToolRule(kinds=frozenset())
_WILDCARD = "*?["


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What R may write in a view, and why it refuses the rest."""

    table: RestoreTable  # of what is refused it knows the id alone
    refused: Mapping[str, Cause] = field(default_factory=dict)  # by placeholder id


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which values one place may show; as it is built, all of them."""

    kinds: frozenset[EntityType] = _ALL
    unsaid: bool = True  # values that the application's own text alone has
    url_hosts: tuple[str, ...] | None = None  # in whose URLs; None: those of the table
    is_tool: bool = False

    def __and__(self, other: "View") -> "View":
        """Return the view of a place that may be either: what both may show."""
        return View(
            kinds=self.kinds & other.kinds,
            unsaid=self.unsaid and other.unsaid,
            url_hosts=self.url_hosts if self.url_hosts == other.url_hosts else (),
            is_tool=self.is_tool or other.is_tool,
        )

    def show(self, table: RestoreTable) -> Shown:
        """Return what of a table may stand here."""
        entries: dict[str, RestoreEntry] = {}
        refused: dict[str, Cause] = {}
        for placeholder_id, entry in table.entries.items():
            known = entry if self.unsaid else entry.said()
            cause = self._cause(entry.kind, is_known=known is not None)
            if cause is not None:
                refused[placeholder_id] = cause
            entries[placeholder_id] = known if known is not None and cause is None else entry.emptied()
        hosts = table.url_hosts if self.url_hosts is None else self.url_hosts
        return Shown(
            table=replace(table, entries=entries, url_hosts=hosts),
            refused=refused,
        )

    def _cause(self, kind: EntityType, *, is_known: bool) -> Cause | None:
        if self.is_tool and not self.kinds:
            return Cause.REMOTE_TOOL
        if kind not in self.kinds:
            return Cause.PROVENANCE if kind is EntityType.SECRET else Cause.TOOL_RULE
        return None if is_known else Cause.PROVENANCE


def user_view(profile: Profile) -> View:
    """Return the view of what a person reads."""
    return View(kinds=_ALL if profile.restore_secrets else _OPEN, unsaid=profile.restore_system)


def tool_view(profile: Profile, names: Collection[str]) -> View:
    """Return the view of the arguments of a tool.

    Args:
        profile: the profile in force.
        names: what the tool may be called, where that is not certain; without any name it may be every tool.
    """
    given = [name for name in names if name]
    if not given:
        return reduce(View.__and__, views_of_start(profile, ""))
    return reduce(View.__and__, [_view(next(_rules_of(profile, name), ToolRule())) for name in given])


def strictest_view(profile: Profile) -> View:
    """Return the view of a place that may be any: what the user and every tool may see."""
    return user_view(profile) & tool_view(profile, ())


def views_of_start(profile: Profile, start: str) -> frozenset[View]:
    """Return the views that a tool may have whose name begins so; some that it cannot have may be among them."""
    views = set()
    folded = start.casefold()
    for pattern, rule in _rules(profile):
        head = pattern[: next((place for place, sign in enumerate(pattern) if sign in _WILDCARD), len(pattern))]
        goes_on = head != pattern and folded.startswith(head)
        if not head.startswith(folded) and not goes_on:
            continue
        views.add(_view(rule))
        if goes_on and pattern == head + "*":
            return frozenset(views)  # whatever follows, a later rule is never asked
    return frozenset({*views, _view(ToolRule())})


def _view(rule: ToolRule) -> View:
    kinds = _OPEN if rule.kinds is None else rule.kinds
    return View(kinds=kinds | {EntityType.SECRET} if rule.secrets else kinds, url_hosts=rule.url_hosts, is_tool=True)


def _rules(profile: Profile) -> Iterator[tuple[str, ToolRule]]:
    """Yield all rules in their order, their patterns in one letter case."""
    for pattern in profile.remote_tools:
        yield pattern.casefold(), _REMOTE
    for pattern, rule in profile.tools.items():
        yield pattern.casefold(), rule


def _rules_of(profile: Profile, name: str) -> Iterator[ToolRule]:
    folded = name.casefold()
    return (rule for pattern, rule in _rules(profile) if fnmatchcase(folded, pattern))
