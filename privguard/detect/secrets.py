"""Secrets: the rules of `detect-secrets`, the keys that it lacks, and values that a context word introduces.

Only the compiled expressions of `detect-secrets` are used: its settings stay as they are and nothing is verified
over the network.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

from privguard.core.entities import EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.code_words import without_code
from privguard.detect.credentials import find_credentials
from privguard.detect.prepared import Prepared, match_at, places_of

# Module and class of the plugins whose expressions match the bare token, letter for letter.
_PLUGINS = [
    "artifactory.ArtifactoryDetector",
    "aws.AWSKeyDetector",
    "azure_storage_key.AzureStorageKeyDetector",
    "cloudant.CloudantDetector",
    "discord.DiscordBotTokenDetector",
    "github_token.GitHubTokenDetector",
    "gitlab_token.GitLabTokenDetector",
    "ibm_cloud_iam.IbmCloudIamDetector",
    "ibm_cos_hmac.IbmCosHmacDetector",
    "mailchimp.MailchimpDetector",
    "openai.OpenAIDetector",
    "pypi_token.PypiTokenDetector",
    "sendgrid.SendGridDetector",
    "slack.SlackDetector",
    "softlayer.SoftlayerDetector",
    "square_oauth.SquareOAuthDetector",
    "stripe.StripeDetector",
    "telegram_token.TelegramBotTokenDetector",
    "twilio.TwilioKeyDetector",
]
# Literals, folded, one of which each match holds, and what else stands in the folded text where there is a match: the
# expressions run only there.
_TRIGGERS = {
    "artifactory": ("akc", "ap"),
    "aws": ("a3t", "abia", "acca", "akia", "asia", "aws"), "azure_storage_key": ("accountkey=",),
    "cloudant": ("cl",), "discord": (".",), "github_token": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    "gitlab_token": (
        "glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "gr1348941", "glcbt-", "glimt-", "glptt-", "glagent-", "gloas-"
    ),
    "ibm_cloud_iam": ("ibm", "bx", "iam"), "ibm_cos_hmac": ("cos", "ibm"), "mailchimp": ("-us",),
    "openai": ("t3blbkfj",), "pypi_token": ("pypi-",), "sendgrid": ("sg.",), "slack": ("xox", "hooks.slack.com"),
    "softlayer": ("sl", "softlayer"), "square_oauth": ("sq0csp-",), "stripe": ("k_live_",), "telegram_token": (":",),
    "twilio": ("ac", "sk"),
}  # fmt: skip
_SHAPES = {
    "artifactory": re.compile(r"akc[a-z0-9]{10}|ap[\dabcdef][a-z0-9]{8}"),
    "aws": re.compile(r"a(?:3t[a-z0-9]|bia|cca|kia|sia)[0-9a-z]{16}|aws.{0,20}?(?:key|pwd|pw|pass|token)"),
    "cloudant": re.compile(r"cl(?:ou(?:dant)?)?[_-]?(?:api)?(?:key|pwd|pw|pass|token)|cloudant\.com"),
    "ibm_cloud_iam": re.compile(r"(?:key|pwd|pass|token|password)[\"']?\]?[ =:>]+[\"']?[a-z0-9_-]{44}"),
    "ibm_cos_hmac": re.compile(r"secret[_-]?(?:access)?[_-]?key"),
    "mailchimp": re.compile(r"-us[0-9]"),
    "softlayer": re.compile(r"sl[_-]?(?:api)?[_-]?(?:key|pwd|pass|token)|softlayer"),
    "telegram_token": re.compile(r"\d\d{7}:"),
    "twilio": re.compile(r"(?:ac|sk)[a-z0-9]{32}"),
}
_GENERIC_GROUPS = {
    "aws",
    "cloudant",
    "ibm_cloud_iam",
    "ibm_cos_hmac",
    "softlayer",
}  # group 1 is the value where there is one
_SCORE = 0.95

_KEYS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-(?:proj-|svcacct-|admin-|ant-(?:api|admin)\d{2}-|or-v1-|lf-)?[A-Za-z0-9][A-Za-z0-9_-]{14,250}"
    r"|(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{16,255}"
    r"|(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA|AROA|AIDA)[0-9A-Za-z]{12,32}"
    r"|AIza[0-9A-Za-z_-]{20,60}|ya29\.[0-9A-Za-z_-]{20,512}|GOCSPX-[0-9A-Za-z_-]{16,64}"
    r"|xox[abeoprs]-[0-9A-Za-z-]{10,255}|xapp-\d-[0-9A-Za-z-]{10,255}"
    r"|[prs]k_(?:live|test)_[0-9A-Za-z]{8,255}|whsec_[0-9A-Za-z+/=]{16,128}"
    r"|glpat-[0-9A-Za-z_-]{12,64}|npm_[0-9A-Za-z]{20,64}|hf_[0-9A-Za-z]{16,64}|gsk_[0-9A-Za-z]{16,80}|"
    r"r8_[0-9A-Za-z]{20,64}"
    r"|dop_v1_[0-9a-f]{32,80}|shpat_[0-9A-Fa-f]{16,64}|shpss_[0-9A-Fa-f]{16,64}|lin_api_[0-9A-Za-z]{16,64}|"
    r"pypi-[0-9A-Za-z_-]{16,255}"
    r"|SG\.[0-9A-Za-z_-]{8,64}\.[0-9A-Za-z_-]{8,64}|key-[0-9a-f]{32}|sq0(?:atp|csp)-[0-9A-Za-z_-]{16,64}|"
    r"PMAK-[0-9A-Za-z-]{20,80}"
    r"|AGE-SECRET-KEY-1[0-9A-Z]{40,70}|ATATT3[0-9A-Za-z_=-]{20,255}|dckr_pat_[0-9A-Za-z_-]{16,64}|"
    r"nvapi-[0-9A-Za-z_-]{20,100}"
    r"|tskey-[a-z]{2,8}-[0-9A-Za-z-]{10,80}|EAA[A-Za-z0-9]{30,255}"
    r"|eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{0,2048})?"
    r")(?![A-Za-z0-9])"
)
# What a key begins with, and how many letters stand before that.
_KEY_PARTS = (
    *((part, 0) for part in (
        "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "A3T", "ABIA", "ACCA", "AKIA", "ASIA", "AROA",
        "AIDA", "AIza", "ya29.", "GOCSPX-", "xox", "xapp-", "whsec_", "glpat-", "npm_", "hf_", "gsk_", "r8_", "dop_v1_",
        "shpat_", "shpss_", "lin_api_", "pypi-", "SG.", "key-", "sq0", "PMAK-", "AGE-SECRET-KEY-1", "ATATT3",
        "dckr_pat_", "nvapi-", "tskey-", "EAA", "eyJ",
    )),
    ("k_live_", 1),
    ("k_test_", 1),
)  # fmt: skip
_BOT_TOKEN = re.compile(r"(?<!\d)\d{8,10}:AA[0-9A-Za-z_-]{30,36}(?![\w-])")
_PLAIN_WORDS = re.compile(r"sk-[a-z]+(?:-[a-z]+)*")
_BLOCK_START = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----")
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d:")
_BLOCK_BODY = re.compile(r"(?:[\sA-Za-z0-9+/=:,-]|\\n)*")
_PUTTY_LAST = re.compile(r"Private-MAC:[^\n]*")
_HOOK = re.compile(r"https://(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/(?P<v>[\w/-]{10,200})")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plugin:
    """The expressions of one plugin, and where they can match at all."""

    name: str
    triggers: tuple[str, ...]
    shape: re.Pattern[str] | None
    patterns: tuple[re.Pattern[str], ...]


class SecretDetector:
    """Find passwords, keys, tokens and other secrets: each value as one whole span."""

    id = "secrets-1"

    def __init__(self) -> None:
        self._rules = tuple(_load())

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the secrets of each segment; they may overlap."""
        return tuple(
            tuple(without_code(segment.text, self._find(Prepared(text=segment.text)))) if segment.text else ()
            for segment in segments
        )

    def _find(self, view: Prepared) -> Iterator[Span]:
        text, folded = view.text, view.folded
        for match in match_at(_KEYS, text, _key_starts(text)):
            if not _PLAIN_WORDS.fullmatch(match.group()):
                yield _secret(*match.span(), _SCORE, "key")
        for match in _BOT_TOKEN.finditer(text) if ":AA" in text else ():
            yield _secret(*match.span(), _SCORE, "bot-token")
        yield from _find_blocks(text)
        for match in _HOOK.finditer(text):
            yield _secret(*match.span("v"), _SCORE, "webhook")
        for rule in self._rules:
            if any(trigger in folded for trigger in rule.triggers) and (not rule.shape or rule.shape.search(folded)):
                for pattern in rule.patterns:
                    yield from _apply(text, rule.name, pattern)
        yield from find_credentials(view)


def _load() -> Iterator[_Plugin]:
    for plugin in _PLUGINS:
        name, detector = plugin.split(".")
        module = import_module(f"detect_secrets.plugins.{name}")
        patterns: Sequence[re.Pattern[str]] = getattr(module, detector).denylist
        yield _Plugin(name=name, triggers=_TRIGGERS[name], shape=_SHAPES.get(name), patterns=tuple(patterns))


def _key_starts(text: str) -> list[int]:
    return sorted({max(0, place - lead) for part, lead in _KEY_PARTS for place in places_of(text, part)})


def _apply(text: str, name: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    group = 1 if name in _GENERIC_GROUPS and pattern.groups else 0
    for match in pattern.finditer(text):
        start, end = match.span(group)
        while start < end and not text[start].isalnum():
            start += 1
        while end > start and (text[end - 1].isspace() or text[end - 1] in "\"'"):
            end -= 1
        inside = (start and text[start - 1].isalnum()) or text[end : end + 1].isalnum()
        if start < end and not inside:
            yield _secret(start, end, _SCORE, f"detect-secrets-{name}")


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
