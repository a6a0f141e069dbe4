"""What no detector can read: media, which leave where the profile says so; parts of unknown types, and token ids."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Kind, Leaf, Path, Pattern
from privguard.core.profile import Media
from privguard_adapters.wire.fields import is_token

_TEXT_PARTS = frozenset({"text", "refusal"})
_MEDIA_PARTS = frozenset({"image_url", "input_audio", "file", "image", "input_image", "input_file", "video_url"})
MEDIA = {
    "image_url": Media.IMAGE,
    "input_image": Media.IMAGE,
    "input_audio": Media.AUDIO,
    "file": Media.FILE,
    "input_file": Media.FILE,
}
# Those of the Messages API and of LangChain as well.
_KINDS = {**MEDIA, "image": Media.IMAGE, "audio": Media.AUDIO, "document": Media.FILE, "text-plain": Media.FILE}
_DATA = frozenset({"data", "base64", "file_data"})  # the fields of a part that hold it
_CARRIERS = _DATA | {"url", "image_url", "file_url"}  # or point to it
_HOLDERS = frozenset({"image_url", "input_audio", "file", "source"})  # the objects in a part that have these fields
_LONGEST_URL = 4096
_REMEDY = "only text can be minimized; leave the part out, or describe it in text"
_REMEDY_OF_MEDIA = (
    "only text can be minimized; leave the part out, describe it in text, or let the profile send such parts unread "
    "(pass_parts)"
)
_PROSE = frozenset({"content", "text", "prompt", "input", "arguments", "refusal", "suffix"})
# Base64, in one line or in long ones; not digits alone, and no words in lines of their own.
_CODED = r"(?![0-9]*\Z)(?:[A-Za-z0-9+/_-]{60,}+[\r\n]++)*[A-Za-z0-9+/_-]*={0,2}[\r\n]*"
_IS_CODED = re.compile(_CODED)
_DATA_URL = re.compile(rf"(?i:data):[\w.+/-]*(?:;[\w.+-]+=[\w.+-]+)*;base64,{_CODED}", re.ASCII)
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
# Base64 that no person writes: what the provider made, and what goes back to it byte for byte.
_SEALED = re.compile(r"(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9+/_-]{40,}={0,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Medium:
    """A content part that no detector can read."""

    label: str
    kind: str  # as the API calls it

    def refusal(self) -> str:
        """Say why the request does not leave."""
        return f"{self.label} is {self.kind}: {_REMEDY_OF_MEDIA}"

    def may_leave(self, passed: Collection[Media]) -> bool:
        """Tell whether a profile lets it leave unread."""
        return _KINDS[self.kind] in passed


def check_parts(values: Mapping[Path, Leaf], *roots: str, media: bool = False) -> None:
    """Refuse content parts that are not text.

    Args:
        values: the leaves of the body.
        roots: the fields below which `content` may be a list of parts.
        media: whether `media_in` takes care of those that a profile may let pass.
    """
    for path, leaf in values.items():
        if path[0] in roots and path[-1] == "type" and path[-3:-2] == ("content",) and leaf.text not in _TEXT_PARTS:
            if media and leaf.text in MEDIA:
                continue
            kind = leaf.text if leaf.text in _MEDIA_PARTS else "an unknown type"
            raise UnknownContentError(f"{leaf.label} is {kind}: {_REMEDY}")


def media_in(values: Mapping[Path, Leaf], *places: Pattern) -> dict[Path, Medium]:
    """Return the parts that no detector can read, by their paths.

    Args:
        values: the leaves of the body.
        places: of the types of parts, with None for every index.
    """
    return {
        path[:-1]: Medium(label=leaf.label, kind=leaf.text)
        for path, leaf in values.items()
        if path[-1] == "type" and leaf.text in MEDIA and leaf.pattern in places
    }


def carried(leaf: Leaf, media: Mapping[Path, Medium]) -> Leaf | None:
    """Return a leaf that holds a medium, or points to one; None for all others."""
    if leaf.kind is not Kind.STRING or leaf.path[-1] not in _CARRIERS:
        return None
    if leaf.path[-1] in _DATA and not is_data_url(leaf.text) and not _IS_CODED.fullmatch(leaf.text):
        return None  # words, whatever they stand for
    is_held = leaf.path[-2] in _HOLDERS and leaf.path[:-2] in media
    return leaf if is_held or leaf.path[:-1] in media else None


def address_of(leaf: Leaf) -> str:
    """Return the address of a medium, which must tell nothing that the request hides; "" where it is the medium itself.

    Raises:
        UnknownContentError: it is too long for an address, or a `data:` URL that holds something else than base64.
    """
    if leaf.path[-1] in _DATA or is_data_url(leaf.text):
        return ""
    if leaf.text[:5].lower() == "data:":
        raise UnknownContentError(f"{leaf.label} is a data: URL whose content is not base64")
    if len(leaf.text) > _LONGEST_URL:
        raise UnknownContentError(f"{leaf.label} is no address of at most {_LONGEST_URL} characters")
    return leaf.text


def is_data_url(text: str) -> bool:
    """Tell whether a text is a medium in the form of a URL."""
    return _DATA_URL.fullmatch(text) is not None


def unsealed(leaf: Leaf) -> str:
    """Return what must be looked at of a text that a provider has signed or encrypted, "" where it looks like that.

    Raises:
        UnknownContentError: it is not even an identifier.
    """
    if _SEALED.fullmatch(leaf.text):
        return ""
    if not is_token(leaf.text.rstrip("=")):
        raise UnknownContentError(f"{leaf.label} is not what the provider gave, so nothing was sent")
    return leaf.text


def is_binary(leaf: Leaf) -> bool:
    """Tell whether a string holds a medium rather than words."""
    if is_data_url(leaf.text):
        return True
    return leaf.path[-1] not in _PROSE and len(leaf.text) > 1024 and _BASE64.fullmatch(leaf.text) is not None


def check_no_token_ids(values: Mapping[Path, Leaf], root: str) -> None:
    """Refuse text that the caller has already turned into token ids: it cannot be read.

    Args:
        values: the leaves of the body.
        root: the field that may hold strings or token ids.
    """
    for path, leaf in values.items():
        if path[0] == root and leaf.kind is Kind.NUMBER:
            raise UnknownContentError(f"{root} holds token ids, which cannot be minimized; send the text itself")
