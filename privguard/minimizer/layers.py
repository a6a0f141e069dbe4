"""Layers of settings and how they merge into the profile of one request.

    shipped < [defaults] < [targets] < shipped profile < [profiles.NAME] < [profiles.NAME.targets]

A later layer wins key by key: tables (floors, ceilings, deny, tools) merge, everything else is replaced. Of several
patterns in one `targets` table all that match apply, the most specific last.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.plan import Action
from privguard.core.profile import (
    REPLY_TYPES,
    Media,
    Names,
    OnError,
    OnReply,
    Profile,
    Public,
    Rendering,
    ToolRule,
    Unread,
)
from privguard.encoder.thresholds import DEFAULT

# Where the two readings of a published share agree best over the capable models: docs/need.md.
DEFAULT_GAMMA = 0.65

# TOML takes each dot of a bare name for a table of its own, and knows no wildcards there.
QUOTE_PATTERNS = 'quote a pattern with dots or wildcards: [targets."gpt-4.1*"]'


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Settings of one table of a profile file; None where it says nothing."""

    theta: float | None = None  # only in tables of targets
    gamma: float | None = None
    floors: Mapping[EntityType, Action] | None = None
    ceilings: Mapping[EntityType, Action] | None = None
    allow: tuple[str, ...] | None = field(default=None, repr=False)
    deny: Mapping[str, EntityType] | None = field(default=None, repr=False)
    threshold: float | None = None
    names: Names | None = None
    unread: Unread | None = None
    rendering: Rendering | None = None
    on_error: OnError | None = None
    public: Public | None = None
    public_at: float | None = None
    redundancy: bool | None = None
    pronouns: bool | None = None
    note: bool | None = None
    url_hosts: tuple[str, ...] | None = None
    restore_system: bool | None = None
    restore_secrets: bool | None = None
    tools: Mapping[str, ToolRule] | None = None  # by pattern, the first that matches counts
    remote_tools: tuple[str, ...] | None = None
    pass_headers: tuple[str, ...] | None = None
    pass_parts: tuple[Media, ...] | None = None
    on_reply: OnReply | None = None
    reply_types: tuple[EntityType, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLayer:
    """One named profile: its own settings and those for some targets."""

    base: Layer = field(default_factory=Layer)
    targets: Mapping[str, Layer] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """The content of a profile file."""

    source: str = "profiles"  # what errors call it: the path of the file
    defaults: Layer = field(default_factory=Layer)
    targets: Mapping[str, Layer] = field(default_factory=lambda: MappingProxyType({}))
    profiles: Mapping[str, NamedLayer] = field(default_factory=lambda: MappingProxyType({}))


_TABLES = ("floors", "ceilings", "deny")
_BASE = Layer(
    gamma=DEFAULT_GAMMA,
    threshold=DEFAULT,
    names=Names.FOUND,
    unread=Unread.SEND,
    rendering=Rendering.HINTED,
    on_error=OnError.BLOCK,
    # Who takes a private person for a public one discloses her: that must be asked for.
    public=Public.NEED,
    public_at=0.9,
    redundancy=True,
    pronouns=True,
    on_reply=OnReply.PASS,
    reply_types=REPLY_TYPES,
    # A need table is too coarse an instrument to let identity and account numbers go on its word.
    floors=MappingProxyType({EntityType.GOV_ID: Action.REDACT, EntityType.FIN_ACCOUNT: Action.REDACT}),
)

SHIPPED_PROFILES: Mapping[str, Layer] = MappingProxyType(
    {
        "default": Layer(),
        # Any action is good enough, so every span is redacted, but for ceilings and the allow list.
        # In a question of general knowledge a model takes any name for a public one: the lists do not.
        "strict": Layer(gamma=0.0, pronouns=False, names=Names.LISTED, unread=Unread.HIDE),
        "lenient": Layer(gamma=0.9),
    }
)


def merge(layers: Iterable[Layer]) -> Layer:
    """Merge layers, the later over the earlier."""
    merged: dict[str, Any] = {}
    for layer in layers:
        for name in (each.name for each in fields(Layer)):
            value = getattr(layer, name)
            if value is not None:
                merged[name] = _merged(name, merged.get(name, {}), value)
    return Layer(**merged)


def _merged(name: str, earlier: Any, later: Any) -> Any:  # noqa: ANN401 - a setting of any type
    if name == "tools":
        # The first that matches counts, and what a later layer says comes before what an earlier one does.
        return {**later, **{pattern: rule for pattern, rule in earlier.items() if pattern not in later}}
    return {**earlier, **later} if name in _TABLES else later


def settle(name: str, layers: Iterable[Layer], where: str) -> Profile:
    """Merge layers over the shipped base into a profile.

    Raises:
        ConfigError: the merged settings contradict each other; `where` says for whom.
    """
    merged = merge((_BASE, *layers))
    content: dict[str, Any] = {
        "gamma": merged.gamma,
        "floors": MappingProxyType(dict(merged.floors or {})),
        "ceilings": MappingProxyType(dict(merged.ceilings or {})),
        "allow": merged.allow or (),
        "deny": MappingProxyType(dict(merged.deny or {})),
        "threshold": merged.threshold,
        "names": merged.names,
        "unread": merged.unread,
        "rendering": merged.rendering,
        "on_error": merged.on_error,
        "public": merged.public,
        "public_at": merged.public_at,
        "redundancy": merged.redundancy,
        "pronouns": merged.pronouns,
        "note": bool(merged.note),
        "url_hosts": merged.url_hosts or (),
        "restore_system": bool(merged.restore_system),
        "restore_secrets": bool(merged.restore_secrets),
        "tools": MappingProxyType(dict(merged.tools or {})),
        "remote_tools": merged.remote_tools or (),
        "pass_headers": merged.pass_headers or (),
        "pass_parts": tuple(sorted(set(merged.pass_parts or ()))),
        "on_reply": merged.on_reply,
        "reply_types": tuple(sorted(set(merged.reply_types or ()))),
    }
    profile = Profile(id=f"{name}:{_hash(content)}", name=name, **content)
    _check(profile, where)
    return profile


def _check(profile: Profile, where: str) -> None:
    for kind, floor in profile.floors.items():
        ceiling = profile.ceilings.get(kind, Action.REDACT)
        if floor > ceiling:
            raise ConfigError(
                f"{where}: the floor of {kind} is {floor.name} and its ceiling {ceiling.name}; "
                "lower the floor or raise the ceiling"
            )
    denied = {term.casefold() for term in profile.deny}
    for number, term in enumerate(profile.allow):
        if term.casefold() in denied:
            raise ConfigError(f"{where}: term {number + 1} of allow is also in deny; a term is on one list only")


def _hash(content: Mapping[str, Any]) -> str:
    """Return the first 12 hex digits of the hash over the content in canonical JSON."""
    # The order of rules tells which of them counts: they go into the hash as a list.
    content = {**content, "tools": tuple(content["tools"].items())}
    plain = {
        name: {str(key): _plain(value[key]) for key in sorted(value)} if isinstance(value, Mapping) else _plain(value)
        for name, value in content.items()
    }
    canonical = json.dumps(plain, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def _plain(value: Any) -> Any:  # noqa: ANN401 - on its way into JSON
    if isinstance(value, ToolRule):
        return [None if value.kinds is None else sorted(value.kinds), value.secrets, _plain(value.url_hosts)]
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.name if isinstance(value, Action) else value
