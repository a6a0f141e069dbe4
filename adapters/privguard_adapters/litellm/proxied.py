"""A request in LiteLLM's proxy: which of its fields are the caller's, and what is left of them where it goes on.

The proxy keeps a request in several places before any guardrail sees it: the fields themselves, what it notes beside
them (`metadata`, `litellm_metadata`), a copy of the body, and the object that its loggers read. All of them get the
minimized request, or none.
"""

from collections.abc import Mapping
from typing import Any

from privguard.core.errors import UnknownContentError
from privguard.core.targets import UNTOLD
from privguard_adapters.call import Call
from privguard_adapters.litellm.opening import Asked
from privguard_adapters.litellm.owned import END_USER, NOTE, NOTES, REQUEST, Seen, is_callers_note, is_own, token_of
from privguard_adapters.litellm.relogging import relog
from privguard_adapters.wire.headers import is_credential

# Headers that loggers may see; the others stay with the proxy.
_SHOWN_HEADERS = frozenset({"content-type", "content-length", "accept", "accept-encoding", "connection", "host"})
_LITELLMS = "x-litellm-"  # those that begin so were looked at
_LOOKED_AT = (_LITELLMS, "x-privguard-profile")


class Proxied:
    """The data of one request."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    def arguments(self) -> Mapping[str, object]:
        """Return what the caller gave, by the names of the fields, as the arguments of a call."""
        given = {name: self._data[name] for name in self._given()}
        for name in NOTES:
            notes = self._callers_notes(name)
            if notes:
                given[name] = notes
        return {**given, "headers": {**_texts(self._data.get("headers")), **self._looked_at()}}

    def leave(self, asked: Asked, call: Call, token: str) -> None:
        """Put what may leave in the place of what was given, everywhere."""
        arguments = asked.arguments(call)
        headers = {
            name: value for name, value in arguments.pop("headers").items() if name in (self._data.get("headers") or {})
        }
        for name in NOTES:
            self._put_notes(name, arguments.pop(name, {}))
        for name in self._given():
            del self._data[name]
        self._data.update(arguments)
        if headers:
            self._data["headers"] = headers
        self._bucket()[NOTE] = token
        self._scrub()

    def empty(self) -> None:
        """Leave nothing of the caller's, since nothing is sent."""
        for name in self._given():
            value = self._data[name]
            self._data[name] = type(value)() if isinstance(value, list | str | dict) else None
        self._data["model"] = UNTOLD  # loggers count by it
        for name in NOTES:
            self._put_notes(name, {})
        self._scrub(shown=_SHOWN_HEADERS)

    def end_user(self) -> str | None:
        """Return whom spend is counted for, as loggers may see it."""
        found: str | None = self._bucket().get(END_USER)
        return found

    def token(self) -> str | None:
        """Return under what the call of this request is found, if it has one."""
        return token_of(self._data)

    def _given(self) -> list[str]:
        """Return the names of the fields that are the caller's, but for the notes."""
        return [name for name, value in self._data.items() if name not in NOTES and not is_own(name, value)]

    @property
    def _own_notes(self) -> str:
        """Return under what name the proxy notes things: of an API with metadata of its own, those are the caller's."""
        return NOTES[1] if isinstance(self._data.get(NOTES[1]), dict) else NOTES[0]

    def _bucket(self) -> dict[str, Any]:
        bucket: dict[str, Any] = self._data.setdefault(self._own_notes, {})
        return bucket

    def _callers_notes(self, name: str) -> dict[str, Any]:
        notes = self._data.get(name)
        if not isinstance(notes, Mapping):
            if notes:
                raise UnknownContentError(f"{name} is no object")
            return {}
        return {key: value for key, value in notes.items() if self._is_callers(name, key, value) and value is not None}

    def _is_callers(self, name: str, key: object, value: object) -> bool:
        return name != self._own_notes or is_callers_note(key, value)

    def _put_notes(self, name: str, notes: Mapping[str, Any]) -> None:
        bucket = self._data.get(name)
        if not isinstance(bucket, dict):
            return
        for key in [key for key, value in bucket.items() if self._is_callers(name, key, value)]:
            del bucket[key]
        bucket.update(notes)
        if "requester_metadata" in bucket:
            bucket["requester_metadata"] = {} if bucket is not self._bucket() else dict(self._requested(notes))
        auth: Any = bucket.get("user_api_key_auth")
        if getattr(auth, "end_user_id", None) is not None:
            auth.end_user_id = bucket.get(END_USER)

    def _requested(self, notes: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the metadata that the caller gave: those of the body, where the proxy keeps its notes elsewhere."""
        given = self._data.get(NOTES[0]) if NOTES[1] in self._data else notes
        return {key: value for key, value in (given or {}).items() if key != END_USER}

    def _looked_at(self) -> dict[str, str]:
        headers = _texts((self._data.get(REQUEST) or {}).get("headers"))
        return {name: value for name, value in headers.items() if name.lower().startswith(_LOOKED_AT)}

    def _scrub(self, shown: frozenset[str] = _SHOWN_HEADERS | {_LITELLMS}) -> None:
        """Take the caller's texts out of what the proxy noted before, but for headers that tell nothing."""
        for name in NOTES:
            notes = self._data.get(name)
            if isinstance(notes, dict):
                if "headers" in notes:
                    notes["headers"] = _shown(notes["headers"], shown)
                if isinstance(notes.get("endpoint"), str):
                    notes["endpoint"] = notes["endpoint"].partition("?")[0]
        raw = (self._data.get("secret_fields") or {}).get("raw_headers")
        if isinstance(raw, dict):
            for name in [
                name for name in raw if not is_credential(name.lower().encode()) and name not in _shown(raw, shown)
            ]:
                del raw[name]
        request = self._data.get(REQUEST)
        if isinstance(request, dict):
            request = self._data[REQUEST] = Seen(request)
            request["headers"] = _shown(request.get("headers"), shown)
            request["url"] = str(request.get("url", "")).partition("?")[0]
            request["body"] = {name: value for name, value in self._data.items() if not is_own(name, value)}
        relog(self._data)


def _shown(headers: object, shown: frozenset[str]) -> dict[str, str]:
    return {
        name: value
        for name, value in _texts(headers).items()
        if name.lower() in shown or (_LITELLMS in shown and name.lower().startswith(_LITELLMS))
    }


def _texts(headers: object) -> dict[str, str]:
    return dict(headers) if isinstance(headers, Mapping) else {}
