"""What can only be refused: media, parts of unknown types, and text that was turned into token ids."""

import re
from collections.abc import Mapping

from privguard.core.errors import UnknownContentError
from privguard.core.json_leaves import Kind, Leaf, Path
from privguard_adapters.wire.fields import is_token

_TEXT_PARTS = frozenset({"text", "refusal"})
_MEDIA_PARTS = frozenset({"image_url", "input_audio", "file", "image", "input_image", "input_file", "video_url"})
_PROSE = frozenset({"content", "text", "prompt", "input", "arguments", "refusal", "suffix"})
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
# Base64 that no person writes: what the provider made, and what goes back to it byte for byte.
_SEALED = re.compile(r"(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9+/_-]{40,}={0,2}")


def check_parts(values: Mapping[Path, Leaf], *roots: str) -> None:
    """Refuse content parts that are not text.

    Args:
        values: the leaves of the body.
        roots: the fields below which `content` may be a list of parts.
    """
    for path, leaf in values.items():
        if path[0] in roots and path[-1] == "type" and path[-3:-2] == ("content",) and leaf.text not in _TEXT_PARTS:
            kind = leaf.text if leaf.text in _MEDIA_PARTS else "an unknown type"
            raise UnknownContentError(
                f"{leaf.label} is {kind}: only text can be minimized; leave the part out, or describe it in text"
            )


def is_data_url(text: str) -> bool:
    """Tell whether a text is a medium in the form of a URL."""
    return text[:5].lower() == "data:" and ";base64," in text[:256]


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
