"""Secrets: the rules of `detect-secrets`, the keys that it lacks, and values that a context word introduces."""

from collections.abc import Iterator, Sequence

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.code_words import without_code
from privguard.detect.commands import find_commands
from privguard.detect.credentials import find_credentials
from privguard.detect.hashes import find_hashes
from privguard.detect.plugins import load_plugins
from privguard.detect.prepared import Prepared, match_at, places_of
from privguard.detect.published import find_published
from privguard.detect.typed import find_as_typed

_SCORE = 0.95

_KEYS = lazy_pattern(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-(?:proj-|svcacct-|admin-|ant-(?:api|admin)\d{2}-|or-v1-|lf-)?[A-Za-z0-9][A-Za-z0-9_-]{14,250}"
    r"|(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{16,255}"
    r"|(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA|AROA|AIDA)[0-9A-Za-z]{12,32}"
    r"|AIza[0-9A-Za-z_-]{20,60}|ya29\.[0-9A-Za-z_-]{20,512}|GOCSPX-[0-9A-Za-z_-]{16,64}"
    r"|xox[abeoprs]-[0-9A-Za-z-]{10,255}|xapp-\d-[0-9A-Za-z-]{10,255}"
    r"|[prs]k_(?:live|test)_[0-9A-Za-z]{8,255}|whsec_[0-9A-Za-z+/=]{16,128}"
    r"|glpat-[0-9A-Za-z_-]{12,64}|npm_[0-9A-Za-z]{20,64}|hf_[0-9A-Za-z]{16,64}|gsk_[0-9A-Za-z]{16,80}|"
    r"r8_[0-9A-Za-z]{20,64}"
    r"|shpat_[0-9A-Fa-f]{16,64}|shpss_[0-9A-Fa-f]{16,64}|lin_api_[0-9A-Za-z]{16,64}|"
    r"pypi-[0-9A-Za-z_-]{16,255}"
    r"|SG\.[0-9A-Za-z_-]{8,64}\.[0-9A-Za-z_-]{8,64}|key-[0-9a-f]{32}|sq0(?:atp|csp)-[0-9A-Za-z_-]{16,64}|"
    r"PMAK-[0-9A-Za-z-]{20,80}"
    r"|AGE-SECRET-KEY-1[0-9A-Z]{40,70}|ATATT3[0-9A-Za-z_=-]{20,255}|dckr_pat_[0-9A-Za-z_-]{16,64}|"
    r"nvapi-[0-9A-Za-z_-]{20,100}"
    r"|tskey-[a-z]{2,8}-[0-9A-Za-z-]{10,80}|EAA[A-Za-z0-9]{30,255}"
    r"|eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{0,2048})?"
    r")(?![A-Za-z0-9])"
)
# The mark that ends the beginning of a key; the key begins shortly before it.
_KEY_MARK = lazy_pattern(
    r"[-_.](?:(?<=sk-)|(?<=gh[pousr]_)|(?<=github_pat_)|(?<=ya29\.)|(?<=GOCSPX-)|(?<=xox[abeoprs]-)|(?<=xapp-)"
    r"|(?<=[prs]k_live_)|(?<=[prs]k_test_)|(?<=whsec_)|(?<=glpat-)|(?<=npm_)|(?<=hf_)|(?<=gsk_)|(?<=r8_)"
    r"|(?<=shpat_)|(?<=shpss_)|(?<=lin_api_)|(?<=pypi-)|(?<=SG\.)|(?<=key-)|(?<=sq0atp-)|(?<=sq0csp-)|(?<=PMAK-)"
    r"|(?<=dckr_pat_)|(?<=nvapi-)|(?<=tskey-))"
)
_KEY_CAPITALS = lazy_pattern(r"A(?:3T|BIA|CCA|KIA|SIA|ROA|IDA|Iza|GE-SECRET-KEY-1|TATT3)|EAA")
_KEY_START = lazy_pattern(r"(?<![A-Za-z0-9])[A-Za-z]")
_LONGEST_KEY_START = 11
_BOT_TOKEN = lazy_pattern(r"(?<!\d)\d{8,10}:AA[0-9A-Za-z_-]{30,36}(?![\w-])")
_PLAIN_WORDS = lazy_pattern(r"sk-[a-z]+(?:-[a-z]+)*")
_BLOCK_START = lazy_pattern(r"-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----")
_PUTTY = lazy_pattern(r"PuTTY-User-Key-File-\d:")
_BLOCK_BODY = lazy_pattern(r"(?:[\sA-Za-z0-9+/=:,-]|\\n)*")
_PUTTY_LAST = lazy_pattern(r"Private-MAC:[^\n]*")
_HOOK = lazy_pattern(r"https://(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/(?P<v>[\w/-]{10,200})")


class SecretDetector:
    """Find passwords, keys, tokens and other secrets: each value as one whole span."""

    id = "secrets-1"

    def __init__(self) -> None:
        self._plugins = tuple(load_plugins())

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the secrets of each segment; they may overlap."""
        return tuple(find_as_typed(segment.text, self._find) if segment.text else () for segment in segments)

    def _find(self, text: str) -> Iterator[Span]:
        view = Prepared(text=text)
        yield from without_code(text, self._secrets(view))
        # Of a fixed form: no code looks so.
        yield from find_published(view)
        yield from find_hashes(view)

    def _secrets(self, view: Prepared) -> Iterator[Span]:
        text = view.text
        for match in match_at(_KEYS, text, _key_starts(text)):
            if not _PLAIN_WORDS.fullmatch(match.group()):
                yield _secret(*match.span(), _SCORE, "key")
        for match in _BOT_TOKEN.finditer(text) if ":AA" in text else ():
            yield _secret(*match.span(), _SCORE, "bot-token")
        yield from _find_blocks(text)
        for match in _HOOK.finditer(text):
            yield _secret(*match.span("v"), _SCORE, "webhook")
        for plugin in self._plugins:
            yield from plugin.find(view)
        yield from find_credentials(view)
        yield from find_commands(view)


def _key_starts(text: str) -> list[int]:
    starts = {*places_of(text, "eyJ"), *(match.start() for match in _KEY_CAPITALS.finditer(text))}
    for mark in _KEY_MARK.finditer(text):
        low = max(0, mark.start() - _LONGEST_KEY_START)
        starts.update(match.start() for match in _KEY_START.finditer(text, low, mark.start()))
    return sorted(starts)


def _find_blocks(text: str) -> Iterator[Span]:
    """Find private keys as whole blocks; one whose end is missing reaches as far as its lines could."""
    starts = list(_BLOCK_START.finditer(text))
    for number, match in enumerate(starts):
        limit = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        closing = f"-----END {match[1]}-----"
        at = text.find(closing, match.end(), limit)
        body = _BLOCK_BODY.match(text, match.end(), limit)
        end = at + len(closing) if at >= 0 else body.end() if body else match.end()
        yield _secret(match.start(), end, 1.0, "private-key")
    starts = list(_PUTTY.finditer(text))
    for number, match in enumerate(starts):
        limit = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        last = _PUTTY_LAST.search(text, match.end(), limit)
        yield _secret(match.start(), last.end() if last else limit, 1.0, "private-key")


def _secret(start: int, end: int, score: float, rule: str) -> Span:
    return Span(start=start, end=end, kind=EntityType.SECRET, score=score, source=f"secrets/{rule}")
