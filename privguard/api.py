"""What an application calls: it wraps a client, loads a guard, or minimizes content by hand."""

import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Protocol, TypeVar, overload

from privguard.core.audit import Outcome
from privguard.core.errors import ConfigError, ProtectionError, UnknownContentError
from privguard.core.holding import Owner
from privguard.core.profile import Profile
from privguard.core.protocols import Abstractor, AuditSink, Detector, NeedModel, ProfileBook, Vault
from privguard.core.segments import Segment
from privguard.guard import Exchange, Guard
from privguard.guard.shapes import Message, message_segments, rebuild_messages, rebuild_text, text_segments
from privguard.replacements.key import Key
from privguard.settings import Settings, build_guard

Client = TypeVar("Client")


# What to do with clients that have no adapter, by how the name of their class begins.
_HINTS = {
    "google.genai.": (
        "its requests are in a format of Gemini's own. Gemini speaks the OpenAI API too: "
        "wrap(OpenAI(base_url='https://generativelanguage.googleapis.com/v1beta/openai/', api_key=…))"
    ),
    "langchain": (
        "of LangChain, chat models, embeddings and retrievers are wrapped, a model before `bind` and its like: "
        "what is made of a protected one is protected"
    ),
    **dict.fromkeys(
        ("httpx.", "httpx2."),
        "it belongs to no API. Say which one it speaks: privguard.transport(client, base_url='http://localhost:8000/v1')",
    ),
    **dict.fromkeys(
        ("requests.", "aiohttp."),
        "use httpx with privguard.transport(), or send to `privguard serve`, which works with every HTTP client",
    ),
}


class Adapter(Protocol):
    """What an entry point of the group `privguard.adapters` provides, under the top-level package of its clients."""

    def matches(self, client: object) -> bool:
        """Tell whether the adapter protects clients of this class."""
        ...

    def wrap(self, client: Client, guard: Guard) -> Client:
        """Return a protected client of the same class; the one that is given stays as it is."""
        ...


def load_guard(  # noqa: PLR0913 - every part of a guard may be replaced
    *,
    profiles: ProfileBook | Mapping[str, object] | str | Path | None = None,
    detector: Detector | None = None,
    need: NeedModel | None = None,
    abstractor: Abstractor | None = None,
    key: Key | bytes | str | None = None,
    audit: AuditSink | str | Path | None = None,
    audit_mode: str | None = None,
    model: str | Path | None = None,
    device: str | None = None,
    vault: Vault | str | Path | None = None,
    tenant: str = "",
    telemetry: str | None = None,
) -> Guard:
    """Build a guard.

    Args:
        profiles: a profile file, its content as a mapping, or a book of one's own. Default: the file named by
            `PRIVGUARD_PROFILES`, `privguard.toml` here, the user's configuration, else the shipped profiles.
        detector: what finds spans. Default: rules, secrets, and the model; without a model, names through Presidio
            and spaCy.
        need: what estimates need. Default: the model; without one, or beside a detector of one's own, the shipped
            table.
        abstractor: what generalises values. Default: the shipped ladders.
        key: what placeholders are derived from. Default: `PRIVGUARD_KEY`, else a fresh random key.
        audit: a sink, a file (`*.sqlite`, `*.db`, `*.jsonl`), `postgresql://…` (extra `postgres`), or "off".
            Default: `PRIVGUARD_AUDIT`, else `audit.sqlite` in the user's state directory. `PRIVGUARD_AUDIT_KEY` keys
            its hash chain, `PRIVGUARD_AUDIT_SIGNING_KEY` names the private key that signs its checkpoints.
        audit_mode: what happens to a request that cannot be recorded: "required" (it does not leave) or "best-effort"
            (it leaves, and the log says how many records are missing). Default: `PRIVGUARD_AUDIT_MODE`, else
            best-effort. A sink of one's own has its own ways.
        model: the name of a shipped model, the folder of one, or "off". Default: `PRIVGUARD_MODEL`, else the shipped
            default, if there is one. One that is named serves whatever of detector and need is not given.
        device: auto (CUDA where it works, else the processor), cpu or cuda. Default: `PRIVGUARD_DEVICE`, else auto.
            Without a model it has no effect. `PRIVGUARD_THREADS` is the number of threads of one call on the processor,
            by default 1.
        vault: where values are kept for replies that come later: `*.sqlite`, `redis://…`, `memory:`, "off", or a vault
            of one's own. Default: `PRIVGUARD_VAULT`, else none. `PRIVGUARD_VAULT_KEY` holds its keys, the newest first.
        tenant: whose values those are: no other tenant of the vault finds them.
        telemetry: "otel" for spans and metrics of OpenTelemetry (extra `otel`), which go where the application's SDK
            sends them, or "off". Default: `PRIVGUARD_TELEMETRY`, else off.

    Raises:
        ConfigError: a setting is wrong, or an extra is missing.
        ArtifactError: the model is damaged.
        AuditError: the audit log cannot be opened.
        VaultError: the vault cannot be opened.
    """
    return build_guard(
        Settings(
            profiles=profiles,
            detector=detector,
            need=need,
            abstractor=abstractor,
            key=key,
            audit=audit,
            audit_mode=audit_mode,
            model=model,
            device=device,
            vault=vault,
            tenant=tenant,
            telemetry=telemetry,
        )
    )


def wrap(  # noqa: PLR0913 - the settings of a guard
    client: Client,
    guard: Guard | None = None,
    *,
    profiles: ProfileBook | Mapping[str, object] | str | Path | None = None,
    detector: Detector | None = None,
    key: Key | bytes | str | None = None,
    audit: AuditSink | str | Path | None = None,
    audit_mode: str | None = None,
    model: str | Path | None = None,
    device: str | None = None,
    vault: Vault | str | Path | None = None,
    tenant: str = "",
    telemetry: str | None = None,
) -> Client:
    """Return a client of the same class that sends the least and answers in full. The given one stays as it is.

    Args:
        client: a client of a supported SDK.
        guard: a guard to share between clients; the other arguments are those of `load_guard`.

    Raises:
        ConfigError: no adapter knows this client, a setting is wrong, or an extra is missing.
        ArtifactError: the model is damaged.
    """
    settings = Settings(
        profiles=profiles,
        detector=detector,
        key=key,
        audit=audit,
        audit_mode=audit_mode,
        model=model,
        device=device,
        vault=vault,
        tenant=tenant,
        telemetry=telemetry,
    )
    adapter = _adapter(client)
    return adapter.wrap(client, settings.guard_or(guard, "wrap()"))


@overload
def minimize(
    content: str,
    *,
    target: str,
    profile: str | Profile | None = None,
    guard: Guard | None = None,
    earlier: Sequence[str] = (),
    owner: Owner | None = None,
) -> Exchange[str]: ...


@overload
def minimize(
    content: Sequence[Message],
    *,
    target: str,
    profile: str | Profile | None = None,
    guard: Guard | None = None,
    earlier: Sequence[str] = (),
    owner: Owner | None = None,
) -> Exchange[list[dict[str, object]]]: ...


def minimize(
    content: str | Sequence[Message],
    *,
    target: str,
    profile: str | Profile | None = None,
    guard: Guard | None = None,
    earlier: Sequence[str] = (),
    owner: Owner | None = None,
) -> Exchange[str] | Exchange[list[dict[str, object]]]:
    """Minimize a text or chat messages by hand: `.outgoing` is yours to send, `.restore(reply)` brings the values back.

    Args:
        content: a text, or messages with `role` and `content`.
        target: the name of the model that will read it.
        profile: a name or a profile; default: that of the innermost `use` block.
        guard: default: one guard for the process, built at the first call.
        earlier: references of requests that the model still knows, in the guard's vault, the oldest first.
        owner: whose values the vault is asked for and given; default: those of the guard.

    Raises:
        ProtectionError: the content could not be protected.
        ConfigError: a setting is wrong, or an extra is missing.
    """
    _check_call(target, profile)
    chosen = guard or process_guard()
    # A list of its own: what is rebuilt is what was read, whatever happens to the caller's list meanwhile.
    given = list(content) if isinstance(content, list | tuple) else content
    try:
        segments = text_segments(given) if isinstance(given, str) else message_segments(given)
    except Exception as error:  # noqa: BLE001 - a foreign mapping may raise anything; its text may hold content
        refusal = _as_refusal(error)
    else:
        return _reshaped(given, chosen.begin(segments, target=target, profile=profile, earlier=earlier, owner=owner))
    # Raised out here: the context of an exception keeps reachable what the one before it says.
    chosen.block(route="by-hand", target=target, error=refusal)
    raise refusal


def _reshaped(
    given: str | Sequence[Message], exchange: Exchange[tuple[Segment, ...]]
) -> Exchange[str] | Exchange[list[dict[str, object]]]:
    """Put what leaves into the shape of what was given."""
    try:
        if isinstance(given, str):
            return exchange.reshaped(rebuild_text(given, exchange.outgoing))
        return exchange.reshaped(rebuild_messages(given, exchange.outgoing))
    except Exception as error:  # noqa: BLE001 - a foreign mapping may raise anything, here as well
        refusal = _as_refusal(error)
    exchange.close(Outcome.BLOCKED, refusal)
    raise refusal


def _check_call(target: object, profile: object) -> None:
    if not isinstance(target, str) or not target.strip():
        raise ConfigError('target is the name of the model that will read the content, such as "gpt-5-mini"')
    if not isinstance(profile, str | Profile | None):
        raise ConfigError(f"profile is the name of a profile, or a Profile, not {type(profile).__name__}")


def _as_refusal(error: Exception) -> ProtectionError:
    if isinstance(error, ProtectionError):
        return error
    return UnknownContentError(f"the content could not be read ({type(error).__name__}); nothing was sent")


_process_lock = threading.Lock()


def process_guard() -> Guard:
    """Return the guard that calls without one share."""
    with _process_lock:
        return _process_guard()


@cache
def _process_guard() -> Guard:
    return load_guard()


def _adapter(client: object) -> Adapter:
    roots = {cls.__module__.partition(".")[0] for cls in type(client).__mro__} - {"builtins"}
    from importlib.metadata import entry_points  # which loads mail, archives and tables: a guard alone needs none

    known = entry_points(group="privguard.adapters")
    for point in known:
        if point.name in roots:
            adapter: Adapter = point.load()
            if adapter.matches(client):
                return adapter
    if isinstance(client, type | ModuleType):
        kind = "class" if isinstance(client, type) else "module"
        litellm = isinstance(client, ModuleType) and client.__name__ == "litellm"
        functions = ". LiteLLM's functions, protected, are those of privguard_adapters.litellm" if litellm else ""
        raise ConfigError(f"wrap() takes a client, not a {kind}: make one first, as in wrap(OpenAI()){functions}")
    name = f"{type(client).__module__}.{type(client).__qualname__}"
    hint = next((hint for start, hint in _HINTS.items() if name.startswith(start)), "")
    if hint:
        raise ConfigError(f"{name} is no client that wrap() protects: {hint}")
    raise ConfigError(
        f"no adapter protects {name}; adapters are installed for clients of: "
        f"{', '.join(sorted(point.name for point in known)) or 'nothing'}. privguard.minimize() works with any client."
    )
