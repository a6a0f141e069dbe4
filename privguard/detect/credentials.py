"""Secrets that a word gives away: `password: …`, `the PIN is …`, `Authorization: Bearer …`, user and password in a "
"URL."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.credential_words import CODE, KEY, LOGIN_WORD, SECRETLESS
from privguard.detect.found import any_of
from privguard.detect.prepared import Prepared, match_at, places_of

_IS = r"(?:is|was|ist|lautet|est|es|è|é|jest|är|er|είναι|là|are|changed to|set to|reset to|=>|->|:=|={1,3}|[:\uff1a=])"
_QUOTED = (
    r"\"(?P<d>[^\"\r\n]{1,200})\"|'(?P<s>[^'\r\n]{1,200})'|`(?P<b>[^`\r\n]{1,200})`|"
    r"[“„](?P<q>[^“”„\r\n]{1,200})[”“]|«\s?(?P<g>[^«»\r\n]{1,200}?)\s?»"
)
# A `<` that opens no tag is a letter of the value like any other.
_BARE = r"(?P<v>[^\s\"'`“”«»<>](?:[^\s\"'`“”«»<>]|<(?![/!A-Za-z])|(?<=[^\s<])>){2,199})"
_ASSIGNED = lazy_pattern(
    rf"(?<![A-Za-z0-9])(?P<word>{LOGIN_WORD}|{CODE}|{KEY})[\"'`\]*]{{0,3}}\s{{0,3}}(?:(?:for|at|of|on|to|from|in|"
    rf"root|fürs?|vom|beim|del|du|στο|de)\s[\w'\u2019@.&-]{{1,30}}(?:\s[\w'\u2019@.&-]{{1,20}}){{0,4}}?\s?|\(\w[\w "
    rf"]{{0,20}}\)\s?|still\s|now\s|which\s)?"
    rf"[,]?\s?(?P<is>{_IS})[^\S\n]{{0,3}}\n?[^\S\n]{{0,3}}(?:now\s|still\s|currently\s|@)?(?:{_QUOTED}|{_BARE})",
    re.IGNORECASE,
)
_CALL = lazy_pattern(
    rf"[\"'](?:\w{{0,30}}(?:pass|passwd|password|secret|token|api_?key)\w{{0,10}})[\"']\s?,\s?(?:{_QUOTED})",
    re.IGNORECASE,
)
_LOOSE = lazy_pattern(
    rf"(?<![\w-])(?P<word>{LOGIN_WORD}|{CODE}|(?:api[ _-]?)?(?:key|token|secret)),?[ \t]{{1,2}}\(?(?:it['\u2019]?s |"
    rf"is |now |currently )?(?:{_QUOTED}|(?P<v>[^\s\"'`“”«»<>,;]{{4,100}}))",
    re.IGNORECASE,
)
_PHRASE = lazy_pattern(
    rf"(?<!\w)(?:{LOGIN_WORD}|(?:seed|recovery|secret|mnemonic)[ -]?(?:phrase|words?))\s{{0,2}}(?:is|was|ist|lautet|"
    rf"est|es|:|=)\s{{1,2}}(?P<v>[a-z]{{3,12}}(?:[ -][a-z]{{3,12}}){{2,23}})(?=[.,;!)\n]|$)"
)
_MNEMONIC = lazy_pattern(
    r"(?P<v>[a-z](?<![\w'][a-z])[a-z]{2,7} (?:[a-z]{3,8} ){10}(?:(?:[a-z]{3,8} ){11}[a-z]{3,8}|[a-z]{3,8}))(?![\w'])"
)
_HEADER = lazy_pattern(
    r"(?:Authorization|Proxy-Authorization|X-Api-Key|X-Auth-Token|Cookie|"
    r"Set-Cookie)[\"']?\s?[:=]\s?[\"']?(?:(?:Bearer|Basic|Token|Digest|"
    r"ApiKey)\s+)?(?P<v>[^\s\"'\r\n][^\"'\r\n]{5,4000})",
    re.IGNORECASE,
)
_BEARER = lazy_pattern(r"(?<!\w)(?:Bearer|Basic)\s(?P<v>[A-Za-z0-9._~+/-]{12,4096}={0,2})(?![\w])")
_USERINFO = lazy_pattern(r"[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,100}:(?P<v>[^\s/@\"'<>]{1,200})@", re.IGNORECASE)
_SAME_PART = lazy_pattern(
    r"(?:Password|Pwd|AccountKey|SharedAccessKey|SharedAccessSignature)=(?P<v>[^;\s\"']{3,300})", re.IGNORECASE
)
_CURL_USER = lazy_pattern(r"(?:^|\s)(?:-u|--user)\s[\"']?[^\s:\"']{1,80}:(?P<v>[^\s\"']{3,200})")
_QUERY = lazy_pattern(
    r"[?&](?:access_token|token|key|api_?key|sig|signature|secret|password|pwd|jeton|auth|"
    r"code)=(?P<v>[^&\s\"'#<>]{8,500})",
    re.IGNORECASE,
)
_SSH = lazy_pattern(r"(?<!\w)ssh-(?:rsa|ed25519|dss) (?P<v>AAAA[A-Za-z0-9+/=]{12,2000})")

_REFERENCE = lazy_pattern(
    r"[\$%]?\{+[^}]*\}*,?|\$\(?\w+\)?|<[^>]*>|(?:os\.|process\.env|env\.|config\.|settings\.|self\.|this\.|request\.|"
    r"args\.|params\.|secrets\.|getenv|input\()[\w.\[\]()\"']*.*|\w+\(.*|\w+\[.*"
    r"|\*{2,}|•+|x{3,}|\.{2,}|_{3,}|\[[A-Z_]+_[2-9A-Z]{4,12}.*|(?:str|String|string|int|bool|Optional|None|null|Any|"
    r"SecretStr)[,;)\]|]*.*"
)
# Where words run on without a space, what is no letter of their script is the value.
_RUNNING_PARTS = ("密", "口令", "パスワード", "暗証番号", "비밀번호", "암호", "รหัสผ่าน")
_RUNNING = lazy_pattern(
    r"(?:密[码碼]|口令|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน)(?:现在|現在|就|已)?"
    r"(?:是|为|為|叫|改成|改[为為]|[设設][为為]|は|가|는|은|คือ|เป็น)[\s「『“\u2018]{0,3}"
    r"(?P<v>(?=[!-~]*?[\d#$%&*+=@^_~])[!-~]{3,}[^\s.,;:)\"'\u0080-\U0010ffff])"
)
_METHODS = lazy_pattern(
    r"(?:md5|sha-?\d+|base64|bcrypt|argon2\w*|scrypt|pbkdf2|aes-?\d*|utf-?8)[.,;:!?]*", re.IGNORECASE
)
_PLAIN = lazy_pattern(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*", re.UNICODE)
_HASH = lazy_pattern(r"(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{32})")
_CODE_WORD = lazy_pattern(CODE, re.IGNORECASE)
_IS_PASS_WORD = lazy_pattern(LOGIN_WORD, re.IGNORECASE)
_SEED = lazy_pattern(r"seed|phrase|words|mnemonic|wallet")
# Where one of the words can begin, folded: a password or a code by its own beginning, a key by what ends its name.
_STEM = lazy_pattern(
    r"(?<![a-z0-9])(?:mot de|mật kh|kata sandi|one[- ]time|two[- ]factor|mfa|secret[ _-]?answer|challenge[ _-]?answer|"
    + any_of(
        "pass pw kenn kundenkenn wachtw contrase clave senha mdp parola palavra hasło lösen adgangs salas şifre парол "
        "κωδικ كلمة סיסמה 密 パスワ 비밀 पासव nenos memorable code kod duress safe رمز pin otp 2fa cvv cvc tan puk "
        "security access door gate alarm entry lockbox verification backup recovery unlock zugangs tür sicher wifi "
        "wi-fi wlan geheim código codice toegangs"
    )
    + ")"
)
_NAME_END = lazy_pattern("key|secret|token|jeton|credential|psk|passw|pwd|_pass|_pw|session[_ -]?id")
_NAME_START = lazy_pattern(r"(?<![A-Za-z0-9])[\w-]")
_LONGEST_NAME = 45  # before its end
_PHRASE_WORD = lazy_pattern("seed|mnemonic|secret")
_MNEMONIC_PARTS = ("seed", "phrase", "words", "mnemonic", "wallet")
_SAME_PARTS = ("password=", "pwd=", "accountkey=", "sharedaccesskey=", "sharedaccesssignature=")
_HEADER_PARTS = ("authorization", "x-api-key", "x-auth-token", "cookie")
_CALL_PARTS = ("pass", "secret", "token", "apikey", "api_key")
_LONGEST_SCHEME = 21


def find_credentials(view: Prepared) -> Iterator[Span]:
    """Find values that are secret because of what stands before them; the value alone is the span."""
    text, words = view.text, _Words.of(view.folded)
    for match in match_at(_ASSIGNED, text, words.assigned(text)):
        yield from _judge(match, assigned=True)
    for match in match_at(_LOOSE, text, words.loose()):
        yield from _judge(match, assigned=False)
    for match in _CALL.finditer(text) if any(part in view.folded for part in _CALL_PARTS) else ():
        yield from _value(match, 0.85, "call")
    for match in _RUNNING.finditer(text) if any(part in text for part in _RUNNING_PARTS) else ():
        if not _METHODS.fullmatch(match["v"]):
            yield _secret(*match.span("v"), 0.85, "context")
    yield from _phrases(view, words)
    yield from _direct(_parameters(view))
    yield from _direct(_forms(view))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """Where words stand that can introduce a secret."""

    stems: Sequence[int]
    ends: Sequence[int]  # of the names of keys: where the last part begins

    @classmethod
    def of(cls, folded: str) -> "_Words":
        return cls(
            stems=[match.start() for match in _STEM.finditer(folded)],
            ends=[match.start() for match in _NAME_END.finditer(folded)],
        )

    def assigned(self, text: str) -> list[int]:
        return sorted({*self.stems, *(start for end in self.ends for start in _name_starts(text, end))})

    def loose(self) -> list[int]:
        # The letters of `api` and a space may stand before the end of a name.
        return sorted({*self.stems, *(max(0, end - lead) for end in self.ends for lead in (0, 3, 4))})

    def of_phrases(self, folded: str) -> list[int]:
        return sorted({*self.stems, *(match.start() for match in _PHRASE_WORD.finditer(folded))})


def _name_starts(text: str, end: int) -> Iterator[int]:
    """Yield where the name of a key can begin whose end begins at `end`: it may hold one space."""
    low = max(0, end - _LONGEST_NAME)
    space = max(low, text.rfind(" ", low, end))
    low = max(low, text.rfind(" ", low, space) + 1)
    for match in _NAME_START.finditer(text, low, end + 1):
        yield match.start()


def _phrases(view: Prepared, words: _Words) -> Iterator[Span]:
    text = view.text
    for match in match_at(_PHRASE, text, words.of_phrases(view.folded)):
        phrase = match["v"].replace("-", " ").split()
        if sum(word in SECRETLESS for word in phrase) * 4 <= len(phrase):
            yield _secret(*match.span("v"), 0.8, "passphrase")
    for match in _MNEMONIC.finditer(text) if any(part in view.folded for part in _MNEMONIC_PARTS) else ():
        lead = text[max(0, match.start() - 60) : match.start()].lower()
        if _SEED.search(lead) and SECRETLESS.isdisjoint(match["v"].split()):
            yield _secret(*match.span("v"), 0.9, "mnemonic")


def _parameters(view: Prepared) -> Iterator[tuple[Iterator[re.Match[str]], str]]:
    if any(part in view.folded for part in _SAME_PARTS):
        yield _SAME_PART.finditer(view.text), "connection-string"
    yield _QUERY.finditer(view.text), "query"


def _forms(view: Prepared) -> Iterator[tuple[Iterator[re.Match[str]], str]]:
    text = view.text
    if any(part in view.folded for part in _HEADER_PARTS):
        yield _HEADER.finditer(text), "header"
    if "Bearer" in text or "Basic" in text:
        yield _BEARER.finditer(text), "bearer"
    if "@" in text:
        colons = places_of(text, "://")
        starts = {start for colon in colons for start in range(max(0, colon - _LONGEST_SCHEME), colon)}
        yield match_at(_USERINFO, text, sorted(starts)), "userinfo"
    flags = {max(0, place - lead) for place in places_of(text, "-u") for lead in range(3)}
    yield match_at(_CURL_USER, text, sorted(flags)), "curl"
    if "AAAA" in text:
        yield _SSH.finditer(text), "ssh-key"


def _direct(rules: Iterable[tuple[Iterable[re.Match[str]], str]]) -> Iterator[Span]:
    for matches, rule in rules:
        for match in matches:
            if not _REFERENCE.fullmatch(match["v"]) and match["v"][0] != "/":
                yield _secret(*match.span("v"), 0.9, rule)


def _judge(match: re.Match[str], *, assigned: bool) -> Iterator[Span]:
    """Keep a value that could be a secret after this word."""
    word = match["word"]
    is_code = _CODE_WORD.fullmatch(word) is not None and not word.lower().endswith(("password", "passwort", "key"))
    quoted = match["v"] is None
    if quoted:
        value = next(group for group in (match[name] for name in "dsbqg") if group is not None)
        if (
            not _REFERENCE.fullmatch(value)
            and value.lower() not in SECRETLESS
            and (assigned or not _PLAIN.fullmatch(value))
        ):
            yield from _value(match, 0.85, "quoted")
        return
    value = match["v"].rstrip(".,;:!?)]}\\")
    if value.endswith("'") or not value or _REFERENCE.fullmatch(value) or value.lower().strip("(") in SECRETLESS:
        return
    if (
        value.startswith(("(", "[", "{", "http://", "https://", "/", "-", "#!"))
        or "::" in value
        or _is_ordinary(match, value, is_code=is_code, assigned=assigned)
    ):
        return
    start = match.start("v")
    yield _secret(start, start + len(value), 0.85 if assigned else 0.7, "context")


def _is_ordinary(match: re.Match[str], value: str, *, is_code: bool, assigned: bool) -> bool:
    """Tell whether a bare value reads like prose rather than like a secret."""
    has_digit = any(map(str.isdecimal, value))
    if is_code:
        digits = sum(map(str.isdecimal, value))
        return not has_digit or digits < 3 or len(value) > 12 or bool(re.fullmatch(r"(?:19|20)\d{2}-\d{2}.*", value))
    sign = assigned and match["is"] in {":", "=", "==", "===", ":=", "->", "=>", "\uff1a"}
    is_password = _IS_PASS_WORD.search(match["word"]) is not None
    if assigned and sign and (is_password or _looks_like_code(match)):
        return len(value) < 3 or (value.isdecimal() and len(value) < 4)
    if _PLAIN.fullmatch(value):
        # "the password is Larkholm", but not "the password is required"
        return not (is_password and assigned and (value[0].isupper() or _entropy(value) > 3.3) and value[1:].islower())
    if not is_password and value.isdecimal():
        return True
    if is_password:
        return not (has_digit or re.search(r"[^\w.,'\u2019/-]|[_]", value) or (assigned and len(value) >= 6))
    return (
        len(value) < 8
        or not has_digit
        or _entropy(value) < 2.5
        or (not assigned and _HASH.fullmatch(value) is not None)
    )


def _looks_like_code(match: re.Match[str]) -> bool:
    word = match["word"]
    return "_" in word or "-" in word or word.isupper() or match["is"] in {"=", "==", ":="} or "secret" in word.lower()


def _entropy(value: str) -> float:
    """Return the Shannon entropy of the characters, in bits each."""
    return -sum(count / len(value) * math.log2(count / len(value)) for count in Counter(value).values())


def _value(match: re.Match[str], score: float, rule: str) -> Iterator[Span]:
    for name in "dsbqg":
        start, end = match.span(name)
        if start >= 0 and end - start >= 3 and not match[name].isspace():
            yield _secret(start, end, score, rule)


def _secret(start: int, end: int, score: float, rule: str) -> Span:
    return Span(start=start, end=end, kind=EntityType.SECRET, score=score, source=f"secrets/{rule}")
