"""The way of a call from LangChain through the gate: its document goes in, what may be sent comes out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlencode

from privguard.core.errors import PlanError, PrivguardError, RestoreError, UnknownContentError
from privguard_adapters.call import Call, HttpRequest
from privguard_adapters.gate import Gate
from privguard_adapters.guarding import Guarding
from privguard_adapters.handover import open_in_thread
from privguard_adapters.wire.headers import PROFILE_HEADER, Headers
from privguard_adapters.wire.langchain import BASE_URL, CREDENTIALS, LANGCHAIN

Value: TypeAlias = Any

Result = TypeVar("Result")

_JSON = (b"content-type", b"application/json")
WHOLE: Headers = (_JSON,)
EVENTS: Headers = ((b"content-type", b"text/event-stream"),)
_NOT_OURS = frozenset({PROFILE_HEADER, b"content-length", b"content-type"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """What a call would send: its document, and what goes beside it."""

    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, Value] = field(default_factory=dict, repr=False)


Write: TypeAlias = Callable[[], Outgoing]


class Seam:
    """Where the calls of one protected class pass the gate."""

    def __init__(self, guard: Guarding) -> None:
        self._guard = guard
        self._gate = Gate(guard, lambda: BASE_URL, LANGCHAIN)

    def open(self, route: str, write: Write) -> Call:
        """Protect a call.

        Args:
            route: which sort of call it is.
            write: writes its document and what goes beside it.

        Raises:
            ProtectionError: nothing was sent; the record of it is written.
        """
        return self._gate.open(self._request(route, write))

    async def aopen(self, route: str, write: Write) -> Call:
        """Protect a call in a worker thread, with the arguments of `open`.

        Raises:
            ProtectionError: nothing was sent; the record of it is written.
        """
        return await open_in_thread(self._gate, self._request(route, write))

    def _request(self, route: str, write: Write) -> HttpRequest:
        refusal: PrivguardError
        try:
            out = write()
            headers = tuple([(name.encode(), value.encode()) for name, value in out.headers.items()])
            url = f"{BASE_URL}/{route}?{urlencode(out.query, doseq=True)}"
            return HttpRequest(method="POST", url=url, headers=(_JSON, *headers), body=out.body)
        except PrivguardError as error:
            refusal = error
        except Exception as error:  # noqa: BLE001 - whatever fails, the request does not leave; its text may hold content
            refusal = UnknownContentError(f"the call could not be read ({type(error).__name__}); nothing was sent")
        # Raised out here: the context of an exception keeps reachable what the one before it says.
        self._guard.block(route=f"langchain.{route}", error=refusal)
        raise refusal


def written(call: Call, write: Callable[[], Result]) -> Result:
    """Write what may be sent into the values of LangChain.

    Raises:
        PlanError: that failed; nothing was sent.
    """
    with call.watched():
        return _attempt(write, lambda kind: PlanError(f"what is sent could not be written ({kind}); nothing was sent"))


def restored(restore: Callable[[], Result]) -> Result:
    """Read a reply, or what became of it.

    Raises:
        RestoreError: that failed; the request was sent, minimized.
    """
    return _attempt(restore, lambda kind: RestoreError(f"the reply could not be restored ({kind})"))


def _attempt(run: Callable[[], Result], failed: Callable[[str], PrivguardError]) -> Result:
    try:
        return run()
    except Exception as error:  # noqa: BLE001 - its text may hold content
        kind = type(error).__name__
    # Raised out here: the context of an exception keeps reachable what the one before it says.
    raise failed(kind)


def sent_headers(call: Call, asked: Mapping[str, str]) -> dict[str, str]:
    """Return those of the caller's headers that leave."""
    kept = {name.decode() for name, _ in call.request.headers if name.lower() not in _NOT_OURS}
    return {name: value for name, value in asked.items() if name in kept}


def settings_of(model: Value, known: type, given: Mapping[str, Value]) -> dict[str, Sequence[str]]:
    """Return the texts that are set on a model, and may leave with each of its calls.

    What says where it is and which one is left out: it goes to the network, or is looked at by itself. What opens doors
    goes to the provider as it is, provided that the request hides nothing of it.

    Args:
        model: the model.
        known: the class of LangChain whose own fields say nothing to a provider.
        given: what the model itself says it sends.
    """
    fields: Mapping[str, object] = getattr(type(model), "model_fields", {})
    ours: Mapping[str, object] = getattr(known, "model_fields", {})
    own = {name: vars(model).get(name) for name in fields if name not in ours}
    found: dict[str, list[str]] = {}
    for name, value in (own | dict(given)).items():
        texts = list(_texts(value))
        if _opens(name) or any(part in name.lower() for part in _CALLERS):
            found.setdefault(CREDENTIALS, []).extend([text for _, text in texts])
        elif not _leads(name):
            for is_credential, text in texts:
                found.setdefault(CREDENTIALS if is_credential else name, []).append(text)
    return {name: list(dict.fromkeys(texts)) for name, texts in found.items()}


# What says who may call a model, and what says where it is and which one.
_OPENS = ("api_key", "apikey", "token", "secret", "password", "credential", "authorization")
_CALLERS = ("organization", "project")
_KEYS = (["key"], ["keys"], ["key", "id"])
_ADDRESS_WORDS = "url urls uri uris baseurl endpoint endpoints host hosts hostname proxy proxies sdk headers"
_ADDRESSES = frozenset(_ADDRESS_WORDS.split())
# These say where or which only beside words that say nothing of anybody: no `knowledge_base`, and no `data_model`.
_PLACE_WORDS = "base model models path paths deployment region location version type"
_PLACES = frozenset(_PLACE_WORDS.split())
_PLAIN_WORDS = """
    api async sync root http default name id provider revision file cache local
    azure openai anthropic aws google gcp vertex bedrock
"""
_PLAIN = frozenset({"", *_PLAIN_WORDS.split()})
_SETUP = frozenset({"options", "args", "kwargs", "config"})  # of the HTTP client


def _leads(name: str) -> bool:
    words = name.lower().split("_")
    if not _ADDRESSES.isdisjoint(words) or ("client" in words and words[-1] in _SETUP):
        return True
    of_api = [word for before, word in pairwise(words) if before == "api"]  # whosever it is
    return not _PLACES.isdisjoint(words) and (not _PLACES.isdisjoint(of_api) or (_PLACES | _PLAIN).issuperset(words))


def _opens(name: str) -> bool:
    words = name.lower().replace("-", "_").split("_")
    return any(part in "_".join(words) for part in _OPENS) or any(words[-len(each) :] == each for each in _KEYS)


def _texts(value: object, name: str = "") -> Iterator[tuple[bool, str]]:
    """Yield each text, and whether it is a credential: one word under such a name."""
    if isinstance(value, str):
        yield _opens(name) and not any(map(str.isspace, value)), str(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield False, str(key)
            yield from _texts(item, str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
