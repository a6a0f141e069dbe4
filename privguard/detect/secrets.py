"""Secrets: the rules of `detect-secrets`, the keys that it lacks, and values that a context word introduces.

Only the compiled expressions of `detect-secrets` are used: its settings stay as they are and nothing is verified
over the network.
"""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module

from privguard.core.entities import EntityType
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.code_words import without_code
from privguard.detect.credentials import find_credentials

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
# A literal that each match must hold; the expression runs only where it stands.
_TRIGGERS = {
    "artifactory": ("AKC", "AP"), "aws": ("A3T", "ABIA", "ACCA", "AKIA", "ASIA", "aws", "AWS", "Aws"),
    "azure_storage_key": ("AccountKey=",), "cloudant": ("cl",), "discord": (".",),
    "github_token": ("gh",), "gitlab_token": ("gl", "GR1348941"),
    "ibm_cloud_iam": ("ibm", "bx", "IBM", "BX", "iam", "IAM"),
    "ibm_cos_hmac": ("cos", "COS", "ibm", "IBM"), "mailchimp": ("-us",),
    "openai": ("T3BlbkFJ",), "pypi_token": ("pypi-",),
    "sendgrid": ("SG.",), "slack": ("xox", "XOX", "hooks.slack.com"), "softlayer": ("sl", "SL", "softlayer"),
    "square_oauth": ("sq0csp-",), "stripe": ("k_live_",), "telegram_token": (":",), "twilio": ("AC", "SK"),
}  # fmt: skip
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
_BOT_TOKEN = re.compile(r"(?<!\d)\d{8,10}:AA[0-9A-Za-z_-]{30,36}(?![\w-])")
_PLAIN_WORDS = re.compile(r"sk-[a-z]+(?:-[a-z]+)*")
_BLOCK_START = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----")
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d:")
_BLOCK_BODY = re.compile(r"(?:[\sA-Za-z0-9+/=:,-]|\\n)*")
_PUTTY_LAST = re.compile(r"Private-MAC:[^\n]*")
_HOOK = re.compile(r"https://(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/(?P<v>[\w/-]{10,200})")


class SecretDetector:
    """Find passwords, keys, tokens and other secrets: each value as one whole span."""

    id = "secrets-1"

    def __init__(self) -> None:
        self._rules = tuple(_load())

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the secrets of each segment; they may overlap."""
        return tuple(
            tuple(without_code(segment.text, self._find(segment.text))) if segment.text else () for segment in segments
        )

    def _find(self, text: str) -> Iterator[Span]:
        for match in _KEYS.finditer(text):
            if not _PLAIN_WORDS.fullmatch(match.group()):
                yield _secret(*match.span(), _SCORE, "key")
        for match in _BOT_TOKEN.finditer(text):
            yield _secret(*match.span(), _SCORE, "bot-token")
        yield from _find_blocks(text)
        for match in _HOOK.finditer(text):
            yield _secret(*match.span("v"), _SCORE, "webhook")
        for name, group, pattern in self._rules:
            if any(trigger in text for trigger in _TRIGGERS[name]):
                yield from _apply(text, name, group, pattern)
        yield from find_credentials(text)


def _load() -> Iterator[tuple[str, int, re.Pattern[str]]]:
    for plugin in _PLUGINS:
        module, name = plugin.split(".")
        patterns: Sequence[re.Pattern[str]] = getattr(import_module(f"detect_secrets.plugins.{module}"), name).denylist
        for pattern in patterns:
            yield module, 1 if module in _GENERIC_GROUPS and pattern.groups else 0, pattern


def _apply(text: str, name: str, group: int, pattern: re.Pattern[str]) -> Iterator[Span]:
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
