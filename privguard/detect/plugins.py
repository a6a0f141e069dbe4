"""The rules of `detect-secrets`, each run only where it can match at all.

Only its compiled expressions are used: its settings stay as they are and nothing is verified over the network. It is
imported when something may match for the first time: with the HTTP client that it brings it takes long to load.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.prepared import Prepared

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
# What stands in a text, or in the folded text, wherever an expression of the plugin matches: they run only there.
_SIGNS = {
    "artifactory": r"A(?:KC|P[\dA-F])[A-Za-z0-9]{8}",
    "aws": r"A(?:3T|BIA|CCA|KIA|SIA)[0-9A-Z]",
    "azure_storage_key": r"AccountKey=",
    "discord": r"[MNO][\w-]{23,25}\.",
    "github_token": r"gh[pousr]_",
    "gitlab_token": r"gl[a-z]{2,5}-|GR1348941",
    "mailchimp": r"-us\d",
    "openai": r"T3BlbkFJ",
    "pypi_token": r"pypi-",
    "sendgrid": r"SG\.",
    "square_oauth": r"sq0csp-",
    "stripe": r"k_live_",
    "telegram_token": r"\d\d{7}:",
    "twilio": r"(?:AC|SK)[a-z0-9]{8}",
}
_FOLDED_SIGNS = {
    "aws": r"aws.{0,20}?(?:key|pwd|pw|pass|token)",
    "cloudant": r"cl(?:ou(?:dant)?)?[_-]?(?:api)?(?:key|pwd|pw|pass|token)|cloudant\.com",
    "ibm_cloud_iam": r"(?:key|pwd|pass|token|password)[\"']?\]?[ =:>]+[\"']?[a-z0-9_-]{44}",
    "ibm_cos_hmac": r"secret[_-]?(?:access)?[_-]?key",
    "slack": r"xox[a-z]-|hooks\.slack\.com",
    "softlayer": r"sl[_-]?(?:api)?[_-]?(?:key|pwd|pass|token)|softlayer",
}
# These match any key of their length: the name of the service must stand in the folded text as well.
_SERVICES = {"ibm_cloud_iam": r"ibm|bx|iam", "ibm_cos_hmac": r"cos|ibm"}
# In these, group 1 is the value where there is one.
_GENERIC_GROUPS = frozenset({"aws", "cloudant", "ibm_cloud_iam", "ibm_cos_hmac", "softlayer"})
_SCORE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """The expressions of one plugin, and what must stand in a text for them to match."""

    name: str
    detector: str  # the class
    sign: re.Pattern[str] | None
    folded_sign: re.Pattern[str] | None
    service: re.Pattern[str] | None

    @property
    def patterns(self) -> Sequence[re.Pattern[str]]:
        """Return the expressions."""
        return _patterns_of(self.name, self.detector)

    def find(self, view: Prepared) -> Iterator[Span]:
        """Yield a span for each value."""
        for pattern in self.patterns if self._may_match(view) else ():
            group = 1 if self.name in _GENERIC_GROUPS and pattern.groups else 0
            for match in pattern.finditer(view.text):
                start, end = _trim(view.text, *match.span(group))
                inside = (start and view.text[start - 1].isalnum()) or view.text[end : end + 1].isalnum()
                if start < end and not inside:
                    source = f"secrets/detect-secrets-{self.name}"
                    yield Span(start=start, end=end, kind=EntityType.SECRET, score=_SCORE, source=source)

    def _may_match(self, view: Prepared) -> bool:
        if self.service and not self.service.search(view.folded):
            return False
        return bool(
            (self.sign and self.sign.search(view.text)) or (self.folded_sign and self.folded_sign.search(view.folded))
        )


def load_plugins() -> Iterator[Plugin]:
    """Yield the plugins whose expressions match the bare token."""
    for plugin in _PLUGINS:
        name, detector = plugin.split(".")
        yield Plugin(
            name=name,
            detector=detector,
            sign=_compiled(_SIGNS, name),
            folded_sign=_compiled(_FOLDED_SIGNS, name),
            service=_compiled(_SERVICES, name),
        )


@cache
def _patterns_of(name: str, detector: str) -> Sequence[re.Pattern[str]]:
    return tuple(getattr(import_module(f"detect_secrets.plugins.{name}"), detector).denylist)


def _compiled(expressions: Mapping[str, str], name: str) -> re.Pattern[str] | None:
    return lazy_pattern(expressions[name]) if name in expressions else None


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out what stands before the first letter or digit, and the white space and quotation marks at the end."""
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in "\"'"):
        end -= 1
    return start, end
