"""The schema of a profile file. The one home of pydantic in this package: import it inside functions only.

Errors name the file, the key and what is allowed. They never repeat what was written, since a term of an allow or deny
list may stand at any place by mistake: a wrong word shows as the known one that it resembles.
"""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import Enum
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.plan import Action
from privguard.core.profile import Media, Names, OnError, OnReply, Public, Rendering, ToolRule, Unread
from privguard.encoder.thresholds import RANGE, is_threshold
from privguard.minimizer.layers import QUOTE_PATTERNS, Book, Layer, NamedLayer

Member = TypeVar("Member", bound=Enum)


def _member(kind: type[Member], words: Iterable[str]) -> BeforeValidator:
    """Return a validator that reads a member of `kind` by one of `words`, in the order of `kind`."""
    by_word = dict(zip(words, kind, strict=True))

    def read(value: object) -> Member:
        if isinstance(value, kind):
            return value
        if isinstance(value, str) and value in by_word:
            return by_word[value]
        raise ValueError(f"must be {_one_of(by_word)}{_guess(value, by_word)}")

    return BeforeValidator(read)


def _term(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a text that is not empty")
    return value


def _host(value: object) -> str:
    text = _term(value)
    if any(letter.isspace() or letter in "/:@?#" for letter in text):
        raise ValueError('must be a host name like "docs.example", without scheme, port and path')
    return text.casefold()


def _kinds(value: object) -> frozenset[EntityType] | None:
    """Read what a tool gets: None for all types."""
    words = {"all": None, "none": frozenset[EntityType]()}
    if isinstance(value, str) and value in words:
        return words[value]
    names = {kind.value for kind in EntityType}
    if not isinstance(value, list | tuple | frozenset) or not all(
        isinstance(each, str) and each in names for each in value
    ):
        raise ValueError('must be "all", "none" or a list of types such as ["PERSON", "EMAIL"]')
    if EntityType.SECRET in value:
        raise ValueError("SECRET is no type of the list; write secrets = true")
    return frozenset(map(EntityType, value))


def _threshold(value: object) -> float:
    if not is_threshold(value):
        raise ValueError(f"must be {RANGE}")
    return float(value)  # type: ignore[arg-type] # a number, as was found


_Kind = Annotated[EntityType, _member(EntityType, (kind.value for kind in EntityType))]
_Action = Annotated[Action, _member(Action, (action.name for action in Action))]
_Rendering = Annotated[Rendering, _member(Rendering, (each.value for each in Rendering))]
_Names = Annotated[Names, _member(Names, (each.value for each in Names))]
_Unread = Annotated[Unread, _member(Unread, (each.value for each in Unread))]
_OnError = Annotated[OnError, _member(OnError, (each.value for each in OnError))]
_Public = Annotated[Public, _member(Public, (each.value for each in Public))]
_Media = Annotated[Media, _member(Media, (each.value for each in Media))]
_OnReply = Annotated[OnReply, _member(OnReply, (each.value for each in OnReply))]
_Kinds = Annotated[frozenset[EntityType] | None, BeforeValidator(_kinds)]
_Switch = Annotated[bool, Field(strict=True)]
_Term = Annotated[str, BeforeValidator(_term)]
_Host = Annotated[str, BeforeValidator(_host)]
_Probability = Annotated[float, Field(strict=True, ge=0.0, le=1.0, allow_inf_nan=False)]
_Threshold = Annotated[float, BeforeValidator(_threshold)]
_Logit = Annotated[float, Field(strict=True, allow_inf_nan=False)]


_CONFIG = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, arbitrary_types_allowed=True)


class _Tool(BaseModel):
    """What the tools under a pattern get."""

    model_config = _CONFIG

    restore: _Kinds = None
    secrets: _Switch = False
    url_hosts: tuple[_Host, ...] | None = None

    def rule(self) -> ToolRule:
        """Return the frozen rule."""
        return ToolRule(kinds=self.restore, secrets=self.secrets, url_hosts=self.url_hosts)


class _Settings(BaseModel):
    """One table of settings."""

    model_config = _CONFIG

    gamma: _Probability | None = None
    floors: dict[_Kind, _Action] | None = None
    ceilings: dict[_Kind, _Action] | None = None
    allow: tuple[_Term, ...] | None = None
    deny: dict[_Term, _Kind] | None = None
    threshold: _Threshold | None = None
    names: _Names | None = None
    unread: _Unread | None = None
    rendering: _Rendering | None = None
    on_error: _OnError | None = None
    public: _Public | None = None
    public_at: _Probability | None = None
    redundancy: _Switch | None = None
    pronouns: _Switch | None = None
    note: _Switch | None = None
    url_hosts: tuple[_Host, ...] | None = None
    restore_system: _Switch | None = None
    restore_secrets: _Switch | None = None
    tools: dict[_Term, _Tool] | None = None
    remote_tools: tuple[_Term, ...] | None = None
    pass_headers: tuple[_Term, ...] | None = None
    pass_parts: tuple[_Media, ...] | None = None
    on_reply: _OnReply | None = None
    reply_types: tuple[_Kind, ...] | None = None

    @field_validator("floors", "ceilings")
    @classmethod
    def _secret_is_redacted(cls, value: dict[EntityType, Action] | None) -> dict[EntityType, Action] | None:
        if value and value.get(EntityType.SECRET, Action.REDACT) is not Action.REDACT:
            raise ValueError("SECRET is always redacted; remove it here")
        return value

    def layer(self) -> Layer:
        """Return the frozen settings."""
        content = {name: getattr(self, name) for name in type(self).model_fields if name in Layer.__slots__}
        if self.tools is not None:
            content["tools"] = {pattern: tool.rule() for pattern, tool in self.tools.items()}
        frozen: dict[str, Any] = {
            name: MappingProxyType(value) if isinstance(value, dict) else value for name, value in content.items()
        }
        return Layer(**frozen)


class _TargetSettings(_Settings):
    """Settings for the models under a pattern."""

    theta: _Logit | None = None


class _ProfileSettings(_Settings):
    """A named profile."""

    targets: dict[_Term, _TargetSettings] = Field(default_factory=dict)

    def named(self) -> NamedLayer:
        """Return the frozen profile."""
        return NamedLayer(base=self.layer(), targets=_layers(self.targets))


class _File(BaseModel):
    """A profile file."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    defaults: _Settings = Field(default_factory=_Settings)
    targets: dict[_Term, _TargetSettings] = Field(default_factory=dict)
    profiles: dict[_Term, _ProfileSettings] = Field(default_factory=dict)


def validate(content: Mapping[str, object], source: str) -> Book:
    """Validate the content of a profile file and freeze it.

    Raises:
        ConfigError: something in it is wrong; every fault is listed.
    """
    faults: list[str] = []
    try:
        file = _File.model_validate(dict(content))
    except ValidationError as exc:
        faults = [_fault(error["loc"], error["type"], error["msg"]) for error in exc.errors(include_input=False)]
    if faults:
        # Raised out here: the error before holds the terms, and the context of an exception keeps it reachable.
        raise ConfigError(f"{source}: {'; '.join(faults)}. Nothing was sent")
    return Book(
        source=source,
        defaults=file.defaults.layer(),
        targets=_layers(file.targets),
        profiles=MappingProxyType({name: profile.named() for name, profile in file.profiles.items()}),
    )


def _layers(targets: Mapping[str, _TargetSettings]) -> Mapping[str, Layer]:
    return MappingProxyType({pattern: settings.layer() for pattern, settings in targets.items()})


_MESSAGES = {
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "finite_number": "must be a finite number",
    "greater_than_equal": "must be a number from 0 to 1",
    "less_than_equal": "must be a number from 0 to 1",
    "tuple_type": "must be a list of texts",
    "dict_type": "must be a table",
    "model_type": "must be a table",
}


def _fault(place: Sequence[str | int], kind: str, message: str) -> str:
    """Describe one fault by its place and what is allowed there."""
    if kind == "extra_forbidden":
        table, allowed = _shown(place[:-1]), _allowed(place[:-1])
        if place[-1] == "theta":
            return f'{table}: theta belongs to a target, as in [targets."*"]'
        guess = _guess(place[-1], allowed)
        dots = "" if guess or tuple(place[:-2])[-1:] != ("targets",) else f"; {QUOTE_PATTERNS}"
        return f"{table} has an unknown key{guess}; known are {', '.join(allowed)}{dots}"
    return f"{_shown(place)}: {_MESSAGES.get(kind) or message.removeprefix('Value error, ')}"


def _allowed(table: Sequence[str | int]) -> tuple[str, ...]:
    """Return the keys of a table."""
    match tuple(table):
        case ():
            return tuple(_File.model_fields)
        case (*_, "tools", _):
            return tuple(_Tool.model_fields)
        case ("profiles", _):
            return tuple(_ProfileSettings.model_fields)
        case ("targets", _) | ("profiles", _, "targets", _):
            return tuple(_TargetSettings.model_fields)
        case _:
            return tuple(_Settings.model_fields)


def _shown(place: Sequence[str | int]) -> str:
    """Write a place in the file: its own words where they are ours or a name, never a term or an unknown word."""
    shown: list[str] = []
    names = False  # the next part is the name of a profile or the pattern of a target or a tool
    for number, part in enumerate(place):
        if names and "deny" not in shown:
            shown.append(f'"{part}"')
            names = False
        elif isinstance(part, int):
            shown[-1] += f"[{part}]"
        elif part in _WORDS and "deny" not in shown:
            shown.append(part)
            names = part in ("profiles", "targets", "tools") and number < len(place) - 1
        elif part != "[key]":
            shown.append("…")
    return ".".join(shown) or "the file"


_TABLES = (_File, _ProfileSettings, _TargetSettings, _Tool)
_WORDS = frozenset({*EntityType}.union(*[table.model_fields for table in _TABLES]))


def _guess(word: object, known: Iterable[str]) -> str:
    """Return what a misspelt word resembles, in words."""
    by_folded = {each.casefold(): each for each in known}
    close = get_close_matches(str(word).casefold(), by_folded, n=1, cutoff=0.7)
    return f' (did you mean "{by_folded[close[0]]}"?)' if close else ""


def _one_of(words: Iterable[str]) -> str:
    return f"one of {', '.join(words)}"
