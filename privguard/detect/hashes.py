"""Passwords as they are stored: hashed, with salt and cost. Whoever has one can try passwords against it at leisure."""

import re
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import take
from privguard.detect.prepared import Prepared, match_at, places_of

_SCORE = 0.95
# With the slashes that PHP writes into JSON.
_B64 = r"(?:[A-Za-z0-9./+=_-]|\\/)"
# The modular form `$id$parameters$salt$hash`.
_MODULAR = lazy_pattern(
    rf"\$(?:2[abxy]?\$\d\d\$(?:[./A-Za-z0-9]|\\/){{50,53}}"
    rf"|argon2(?:id|i|d)\$(?:[a-z]+=[\w,=/+.-]{{1,80}}\$){{1,3}}{_B64}{{8,128}}(?:\${_B64}{{16,512}})?"
    rf"|[156]\$(?:rounds=\d{{1,9}}\$)?{_B64}{{0,16}}\${_B64}{{20,86}}|(?:apr1|md5|sha1|sha256|sha512)"
    rf"(?:[\w,=]{{0,20}})\$(?:[\w=,]{{1,20}}\$)?{_B64}{{1,64}}\${_B64}{{20,128}}"
    rf"|(?:y|gy|7)\$[./A-Za-z0-9]{{2,20}}\$[./A-Za-z0-9]{{0,90}}(?:\$[./A-Za-z0-9]{{30,90}})?"
    rf"|(?:P|H)\$[./A-Za-z0-9]{{30,31}}|S\$[./A-Za-z0-9]{{50,52}}|[89]\${_B64}{{14}}\${_B64}{{40,44}}"
    rf"|(?:scrypt|s0|s2|bcrypt-sha256|pbkdf2(?:-sha\d+)?|pbkdf2-digest|ml|krb5[a-z]{{2,8}}|DCC2|NT|bitlocker|ethereum|"
    rf"office|pdf|rar5|RAR3|zip2|pkzip2?|7z|keepass|ansible|sshng|gpg|odf|itunes_backup|oldoffice)\$"
    rf"[\w./+=,:@*#$-]{{16,4096}})",
    re.ASCII,
)
# What frameworks, directories and databases write, by how it begins.
_OTHERS = {
    beginning: lazy_pattern(form, re.ASCII)
    for beginning, form in (
        ("pbkdf2_sha", r"pbkdf2_sha(?:1|256|512)\$\d{1,9}\$[\w./+=-]{0,64}\$[A-Za-z0-9+/=]{20,90}"),
        ("pbkdf2:sha", r"pbkdf2:sha\d{1,3}(?::\d{1,9})?\$[A-Za-z0-9]{4,64}\$[0-9a-f]{32,128}"),
        ("scrypt$", r"scrypt\$(?:\d{1,9}\$)?[\w./+=-]{4,64}\$(?:\d{1,9}\$){0,3}[A-Za-z0-9+/=]{20,90}"),
        ("scrypt:", r"scrypt:\d{1,9}:\d{1,3}:\d{1,3}\$[A-Za-z0-9]{4,64}\$[0-9a-f]{32,128}"),
        ("sha1$", r"sha1\$[A-Za-z0-9]{0,32}\$[0-9a-f]{40}"),
        (
            "{",
            r"\{(?:S?SHA(?:224|256|384|512)?|S?MD5|PBKDF2[\w-]{0,12}|ARGON2|BCRYPT|CRYPT)\}[\w./+=$,-]{13,256}",
        ),
        (
            "SCRAM-SHA-",
            r"SCRAM-SHA-(?:1|256)\$\d{1,7}:[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=]{20,64}:[A-Za-z0-9+/=]{20,64}",
        ),
        ("*", r"\*(?<![\w*].)[0-9A-F]{40}(?![\w*])"),
        ("md5", r"md5(?<![A-Za-z0-9]md5)[0-9a-f]{32}(?![A-Za-z0-9])"),
        ("0x0", r"0x0[12]00[0-9A-Fa-f]{48,140}(?![A-Za-z0-9])"),
        # Of Windows: both hashes of an account, and the answer to a challenge.
        (":", r":(?P<v>[0-9A-Fa-f]{32}:[0-9A-Fa-f]{32})(?=:::)"),
        ("::", r"::(?P<v>[\w.-]{1,64}:[0-9A-Fa-f]{16}:[0-9A-Fa-f]{32}:[0-9A-Fa-f]{20,2048})"),
    )
}
# The line of /etc/shadow: who, and the hash. A locked account has signs before its hash.
_SHADOW = lazy_pattern(r"(?<![\w.:/$-])(?P<v>[a-z_][\w.-]{0,31}\$?):!{0,2}\$(?:2[abxy]?|[156y]|gy|7)\$", re.ASCII)
_SHADOW_SIGN = lazy_pattern(r":!{0,2}\$")
_LONGEST_NAME = 34  # and its colon
_BUILT_IN = frozenset({"root", "daemon", "admin", "nobody", "ubuntu", "debian", "user"})


def find_hashes(view: Prepared) -> Iterator[Span]:
    """Find stored passwords, each with its salt and cost, and whose they are in a line of /etc/shadow."""
    text = view.text
    yield from take(match_at(_MODULAR, text, places_of(text, "$")), EntityType.SECRET, _SCORE, "secrets/password-hash")
    for beginning, form in _OTHERS.items():
        matches = match_at(form, text, places_of(text, beginning))
        yield from take(matches, EntityType.SECRET, _SCORE, "secrets/password-hash")
    for sign in _SHADOW_SIGN.finditer(text) if ":$" in text or "!$" in text else ():
        owner = _SHADOW.search(text, max(0, sign.start() - _LONGEST_NAME), sign.end() + 3)
        if owner and owner.end("v") == sign.start() and owner["v"] not in _BUILT_IN:
            yield from take([owner], EntityType.USERNAME, 0.8, "secrets/shadow")
