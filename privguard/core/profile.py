"""Profiles: what the caller wants, resolved for one target model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.plan import Action

MIN_THRESHOLD = 0.1
MAX_THRESHOLD = 0.95  # how sure a model is ends at 1: a threshold of 1 would switch it off


class Rendering(StrEnum):
    """How an ABSTRACT span is written."""

    HINTED = "hinted"  # [LOCATION_7QK2: a large city in Texas], then [LOCATION_7QK2]: restores exactly
    PHRASE = "phrase"  # a large city in Texas: restores where the phrase is unique


class Public(StrEnum):
    """What is done with spans that are taken to be public: figures, bodies, common knowledge, fiction."""

    RETAIN = "retain"  # they leave as they are
    NEED = "need"  # they are decided like all others


class Names(StrEnum):
    """Which names of people count beside those that a detector finds."""

    FOUND = "found"  # none
    LISTED = "listed"  # full names that begin with a given name of the shipped lists


class Unread(StrEnum):
    """What happens to text in scripts that the shipped models were not taught."""

    SEND = "send"  # it is detected as well as can be, and the rest leaves
    HIDE = "hide"  # it is redacted
    REFUSE = "refuse"  # the request is refused


class OnReply(StrEnum):
    """What happens to values that the model brings by itself: neither of the request nor put back by R."""

    PASS = "pass"  # noqa: S105 - nobody looks; the name of what is done
    FLAG = "flag"  # they are recorded, and pass
    REDACT = "redact"  # a marker stands in their place


class Media(StrEnum):
    """What of a request no detector can read."""

    IMAGE = "image"
    FILE = "file"
    AUDIO = "audio"


class OnError(StrEnum):
    """What happens when the need of a span cannot be estimated. A failing detector always blocks."""

    BLOCK = "block"
    REDACT = "redact"


# Who or what is named, reached, counted or opened by itself. A link counts where it holds one of these.
REPLY_TYPES = (
    EntityType.PERSON,
    EntityType.USERNAME,
    EntityType.EMAIL,
    EntityType.PHONE,
    EntityType.ADDRESS,
    EntityType.GOV_ID,
    EntityType.RECORD_ID,
    EntityType.FIN_ACCOUNT,
    EntityType.DEVICE_ID,
    EntityType.SECRET,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRule:
    """What the arguments of some tools may get."""

    kinds: frozenset[EntityType] | None = None  # None: all types but SECRET, which `secrets` alone decides
    secrets: bool = False
    url_hosts: tuple[str, ...] | None = None  # None: those of the profile

    def __post_init__(self) -> None:
        """Leave no doubt about secrets.

        Raises:
            ConfigError: they are named among the types.
        """
        if self.kinds is not None and EntityType.SECRET in self.kinds:
            raise ConfigError("a tool gets values of type SECRET by secrets = true, not by its list of types")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The frozen settings of one request. Lists of terms are content and never shown."""

    id: str  # `name:hash`, the hash over everything below
    name: str
    gamma: float  # utility floor: the least probability that the answer survives, 0 to 1
    floors: Mapping[EntityType, Action] = field(default_factory=lambda: MappingProxyType({}))  # at least this action
    ceilings: Mapping[EntityType, Action] = field(default_factory=lambda: MappingProxyType({}))  # at most this action
    allow: tuple[str, ...] = field(default=(), repr=False)  # terms that may leave as they are
    deny: Mapping[str, EntityType] = field(default_factory=lambda: MappingProxyType({}), repr=False)  # never leave
    threshold: float = 0.5  # how sure the model must be, 0.1 to 0.95; 0.5 is what it sets for each type itself
    rendering: Rendering = Rendering.HINTED
    on_error: OnError = OnError.BLOCK
    names: Names = Names.FOUND
    unread: Unread = Unread.SEND
    public: Public = Public.NEED
    public_at: float = 0.9  # from which probability on all mentions of an entity must be public, 0 to 1
    pronouns: bool = True  # whether a placeholder tells the pronoun of a person, where the text tells it
    note: bool = False  # whether a note that explains placeholders goes along with them
    redundancy: bool = True  # whether one carrier is kept of a fact that several spans tell
    url_hosts: tuple[str, ...] = ()  # hosts in whose URLs values may be restored
    restore_system: bool = False  # whether the user may see values that the application's own text alone holds
    restore_secrets: bool = False  # whether the user may see values of type SECRET
    tools: Mapping[str, ToolRule] = field(default_factory=lambda: MappingProxyType({}))  # by pattern, the first counts
    remote_tools: tuple[str, ...] = ()  # patterns of tools whose arguments are not restored; they count before `tools`
    pass_headers: tuple[str, ...] = ()  # patterns of request headers that are passed unread
    pass_parts: tuple[Media, ...] = ()  # content parts that leave unread; all others of these are refused
    on_reply: OnReply = OnReply.PASS
    reply_types: tuple[EntityType, ...] = REPLY_TYPES  # which values of the model's own count; denied terms always do

    def __post_init__(self) -> None:
        """Check the numbers once.

        Raises:
            ConfigError: one is out of its range.
        """
        for name, least, most in (("gamma", 0, 1), ("threshold", MIN_THRESHOLD, MAX_THRESHOLD), ("public_at", 0, 1)):
            number = getattr(self, name)
            if not isinstance(number, int | float) or not least <= number <= most:
                raise ConfigError(f"{name} of the profile is not a number from {least:g} to {most:g}")
