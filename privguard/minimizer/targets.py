"""Target models by name: which pattern a model name falls under, and the shipped capabilities.

The capabilities are an artifact, `data/targets.json`, written by `python -m privguard.research.published`. How they are
fitted stands in docs/need.md.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources

from privguard.core.errors import ArtifactError
from privguard.core.patterns import lazy_pattern
from privguard.core.targets import Provenance

FORMAT = 1
SHIPPED = "targets.json"
ANY = "*"

# A cloud's prefix before the model: `us.anthropic.claude-…`.
_VENDOR = lazy_pattern(r"(?:[a-z]{2,6}\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\.(?=.)")
_WILD = lazy_pattern(r"\[[^\]]*\]|[*?]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """The theta of all models under a pattern, and what it rests on."""

    pattern: str
    theta: float
    provenance: Provenance
    note: str = ""


def spellings(name: str) -> tuple[str, ...]:
    """Return the forms under which a model name is looked up: lower case, with and without what providers add.

    `openai/gpt-5` is also `gpt-5`, `ft:gpt-4.1:team::id` is also `gpt-4.1`, `us.anthropic.claude-sonnet-4-…` is also
    `claude-sonnet-4-…`, and `qwen2.5:7b` is also `qwen2.5-7b`.
    """
    full = name.strip().casefold()
    bare = full.rpartition("/")[2]
    if bare.startswith("ft:"):
        bare = bare.split(":")[1]
    bare = _VENDOR.sub("", bare, count=1) if _VENDOR.match(bare) else bare
    return tuple(dict.fromkeys((full, bare, bare.replace(":", "-").replace("@", "-"))))


def matches(pattern: str, name: str) -> bool:
    """Tell whether a model name falls under a pattern: `*`, `?` and `[…]` as in file names, letter case ignored."""
    folded = pattern.strip().casefold()
    return any(fnmatchcase(spelling, folded) for spelling in spellings(name))


def specificity(pattern: str) -> tuple[int, int]:
    """Return the rank of a pattern: more letters first, then fewer wildcards."""
    return len(_WILD.sub("", pattern)), -len(_WILD.findall(pattern))


def matching(patterns: Iterable[str], name: str) -> list[str]:
    """Return the patterns that a name falls under, the least specific first; equals keep their order."""
    return sorted((pattern for pattern in patterns if matches(pattern, name)), key=specificity)


@cache
def shipped_capabilities() -> tuple[Capability, ...]:
    """Return the shipped capabilities; one of them has the pattern `*`.

    Raises:
        ArtifactError: the artifact is absent or damaged.
    """
    try:
        raw = resources.files("privguard.minimizer").joinpath("data", SHIPPED).read_bytes()
        document = json.loads(raw)
        if document["format"] != FORMAT:
            raise ArtifactError(f"{SHIPPED} has format {document['format']}; this version reads format {FORMAT}")
        found = tuple(
            Capability(
                pattern=row["pattern"],
                theta=float(row["theta"]),
                provenance=Provenance(row["provenance"]),
                note=row["note"],
            )
            for row in document["targets"]
        )
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise ArtifactError(f"{SHIPPED} cannot be read: {type(exc).__name__}") from exc
    if not any(capability.pattern == ANY for capability in found):
        raise ArtifactError(f"{SHIPPED} has no capability for unknown models")
    return found
