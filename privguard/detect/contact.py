"""E-mail addresses, links that carry private values, user names."""

import re
import string
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import listed, take, words
from privguard.detect.handle_fields import find_handle_fields
from privguard.detect.national_forms import UNSPACED
from privguard.detect.prepared import Leads, Prepared, match_at, places_of

_LOCAL = lazy_pattern(r"[\w.+%&'\u2019~-]")
_DOMAIN = lazy_pattern(r"[^\W_](?:[\w-]{0,62})(?:\.[^\W_][\w-]{0,62}){0,9}")
# Where words run on without a space, an address in Latin letters ends with them, and begins with them.
_RUNNING_ON = lazy_pattern(f"[{UNSPACED}\u1780-\u17ff]")
_RUN_ON = lazy_pattern(rf"\.[A-Za-z\d-]*[A-Za-z\d](?={_RUNNING_ON.pattern})")
_SPELLED = lazy_pattern(
    r"(?<![\w.])[\w.+-]{1,64}(?: (?:dot|underscore|dash|hyphen) [\w-]{1,40}){0,4}"
    r" ?(?:@|\(at\)|\[at\]|\{at\}| at ) ?[\w-]{1,63}(?: (?:dash|hyphen) [\w-]{1,63}){0,3}"
    r"(?: ?(?:\(dot\)|\[dot\]|\{dot\}| dot ) ?[\w-]{2,63}){1,4}(?!\w)",
    re.IGNORECASE,
)
_BRACKETED_AT = lazy_pattern(
    r"(?<![\w.+-])[\w.+-]{1,64} ?(?:\(at\)|\[at\]|\{at\}) ?[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}", re.IGNORECASE
)
_MAIL_WORD = lazy_pattern(
    words("e-mail email mail mailto mails adresse correo courriel posta почта 邮箱 メール"), re.IGNORECASE
)
_LITERAL_HOST = lazy_pattern(r"\[(?:IPv6:)?[0-9A-Fa-f.:]{3,45}\]")
_MAIL_WORD_REACH = 16  # code points before an address
_VERSION = lazy_pattern(r"v?\d[\w-]*")
_NOT_A_HOST = listed("latest next beta alpha main master stable canary media import head")

_URL = lazy_pattern(r"(?<![\w@])(?:[A-Za-z][A-Za-z0-9+.-]{1,15}://|www\.)[^\s<>\"'`{}|\\^«»“”]{2,2048}")
_BARE = lazy_pattern(
    r"(?<![\w@./-])(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,12}/[^\s<>\"'`{}|\\^«»“”]{1,2048}",
)
_HOST_LETTERS = f"{string.ascii_letters}{string.digits}.-"
_LONGEST_HOST = 4 * 64 + 13
_RELATIVE = lazy_pattern(r"/(?<![\w/.]/)[\w./%-]{0,200}\?[^\s<>\"'`]{3,1024}")
_URL_PARTS = lazy_pattern(
    r"(?:(?P<scheme>[A-Za-z][\w+.-]*)://)?(?:(?P<user>[^/?#@]*)@)?(?P<host>[^/?#:]*)(?P<port>:\d*)?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)
_PRIVATE_KEY = lazy_pattern(
    r"(?:^|[?&;])(?:[\w.-]*(?:token|secret|passw|pwd|auth|session|sess|sig|jwt|credential|mail|user|phone|mobile|"
    r"name|invite|account|customer|patient|member|client|uid|uuid|guid|ssn|iban|birth|dob|jeton|clave|kunde|benutzer)"
    r"[\w.-]*|key|api_?key|code|id|t|k|e|u|h|s|pin|lat|lon|lng|address|q|query|org|unit|ref|hash)=[^&;]{2,}",
    re.IGNORECASE,
)
_ID_PART = lazy_pattern(
    r"(?:^|[/=._~-])(?:\d{6,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Za-z])[A-Za-z0-9]{10,512}"
    r"|(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Z])(?=[\w-]{0,40}[a-z])[\w-]{8,128})(?=$|[/?#&._~-])",
)
_USER_PATH = lazy_pattern(
    r"/(?:u|user|users|~|@|in|profile|profiles|people|person|invite|join|share|shared|s|d|j|member|members|account|"
    r"patient|patients|customer|customers|my|me|calendar|t|p|view|log|form)/[^/?#]{2,}|/[@~][^/?#]{2,}"
)
_SHARE_HOSTS = lazy_pattern(
    r"(?:^|\.)(?:drive\.google\.com|docs\.google\.com|photos\.app\.goo\.gl|goo\.gl|dropbox\.com|1drv\.ms|zoom\.us|"
    r"meet\.google\.com|calendly\.com|paypal\.me|wa\.me|t\.me|chat\.whatsapp\.com|linkedin\.com|facebook\.com|"
    r"instagram\.com|tiktok\.com|twitter\.com|x\.com|we\.tl|bit\.ly|discord\.gg|venmo\.com|onlyfans\.com|"
    r"sharepoint\.com|strava\.com|airbnb\.com)$"
)
_INTERNAL = lazy_pattern(
    r"(?:^|\.)(?:internal|intranet|local|lan|corp|home|private)$|^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\."
)
_PUBLIC_PATH = lazy_pattern(
    r"/(?:docs?|wiki|issues|pull|blob|tree|commit|releases|questions|library|reference|manual)(?:/|$)"
)

_HANDLE = lazy_pattern(r"@(?<![\w@/.+`-]@)[A-Za-z_][\w.-]{1,38}(?![\w@/(])")
_NOT_A_HANDLE = listed(
    "property dataclass staticmethod classmethod override abstractmethod cached_property pytest app click test param "
    "reboot daily hourly weekly monthly yearly returns return deprecated media import keyframes supports font-face "
    "page charset layer container include mixin "
    "extend apply tailwind autowired bean component service controller entity table column id nullable everyone here "
    "channel all functools contextmanager overload final wraps task route get post put delete before after "
    "interface type types decorator echo off see since author version throws public private click.command"
)
_USER_WORDS = (
    "user_name username user userid user_id user_login login login_name screen_name account_name accountname nickname "
    "nick handle alias gamertag discord skype telegram instagram insta snapchat snap tiktok twitter steam reddit "
    "wechat "
    "benutzername benutzer benutzerkennung nutzername anmeldename identifiant utilisateur nom_d'utilisateur pseudo "
    "usuario nombre_de_usuario utente nome_utente gebruikersnaam gebruiker usuário nome_de_usuário użytkownik "
    "logowanie "
    "användarnamn kullan\u0131c\u0131_ad\u0131 логин пользователь 用户名 微信名"
)
_USER_WORD = Leads(_USER_WORDS)
_USER_FIELD = lazy_pattern(
    rf"{words(_USER_WORDS)}[\"'”]?\s{{0,2}}(?:[:=]|is\b|ist\b|est\b|es\b|è\b|é\b|lautet\b|->)\s{{0,2}}[\"'“`]?"
    r"(?P<v>@?(?=[\w.\\#-]{0,40}[^\W_])\w[\w.\\#-]{1,40})",
    re.IGNORECASE,
)
_USER_LOOSE = lazy_pattern(
    rf"{words(_USER_WORDS)}\s[\"'“`(]?(?P<v>@?[^\W\d_][\w-]*(?:[._](?=\w)|\d)[\w.#-]{{0,38}})", re.IGNORECASE
)
_USER_LOG = lazy_pattern(
    r"(?:(?:Failed|Accepted) (?:password|publickey) for (?:invalid user )?|session opened for user |"
    r"[Dd]isconnected from (?:invalid )?user |[Ii]nvalid user (?=[\w.-]{2,40} from ))(?P<v>[\w.-]{2,40})"
)
_LOG_PARTS = ("password for ", "publickey for ", "session opened for user ", "isconnected from ", "nvalid user ")
_TAG = lazy_pattern(r"#\d{4}")
_TAGGED = lazy_pattern(r"(?<![\w#])(?P<v>[A-Za-z][\w.]{1,31}#\d{4}|u/[\w-]{3,20})(?![\w/#])")
_CLOCKED = r"\[?\d{1,2}:\d{2}(?::\d{2})?\]? (?P<v>[a-z][a-z]*[_.\d][\w.]{0,30})(?=:)"
_SPEAKER = lazy_pattern(rf"\n{_CLOCKED}")
_FIRST_SPEAKER = lazy_pattern(_CLOCKED)
_HOME_PARTS = ("/home/", "/Users/", "\\Users")
_HOME = lazy_pattern(r"(?:/home/|/Users/|[A-Z]:\\{1,2}Users\\{1,2})(?P<v>[A-Za-z][\w.-]{1,39})")
_NOT_A_USER = listed(
    "is the and not name names id password passwort admin root user users null none true false string your my a an "
    "style in on "
    "ist und nicht required optional invalid unknown public shared default guest experience interface"
)


def find_contacts(view: Prepared) -> Iterator[Span]:
    """Find e-mail addresses, private links and user names."""
    text = view.text
    if "@" in text:
        yield from find_emails(text)
        yield from _handles(text)
    if "dot" in view.folded and any(word in view.folded for word in (" dot ", "dot)", "dot]", "dot}")):
        yield from take(_SPELLED.finditer(text), EntityType.EMAIL, 0.8, "rules/email")
    if "at" in view.folded and any(word in view.folded for word in ("(at)", "[at]", "{at}")):
        yield from take(_BRACKETED_AT.finditer(text), EntityType.EMAIL, 0.8, "rules/email")
    yield from find_urls(view)
    yield from find_handle_fields(view)
    for matches, score in _user_names(view):
        for span in take(matches, EntityType.USERNAME, score, "rules/username"):
            value = text[span.start : span.end].rstrip(".")
            if value.lower() not in _NOT_A_USER:
                yield span


def _user_names(view: Prepared) -> Iterator[tuple[Iterator[re.Match[str]], float]]:
    """Yield candidates for user names with their score, by each of the rules that can have any."""
    text = view.text
    yield match_at(_USER_FIELD, text, starts := _USER_WORD.starts(view)), 0.75
    yield match_at(_USER_LOOSE, text, starts), 0.6
    if any(part in text for part in _LOG_PARTS):
        yield _USER_LOG.finditer(text), 0.8
    if any(part in text for part in _HOME_PARTS):
        yield _HOME.finditer(text), 0.7
    if "u/" in text or _TAG.search(text):
        yield _TAGGED.finditer(text), 0.65
    yield match_at(_FIRST_SPEAKER, text, (0,)), 0.7
    yield _SPEAKER.finditer(text), 0.7


def find_emails(text: str) -> Iterator[Span]:
    """Find addresses by their `@`. The domain need not be a public one: an internal address leaks as much."""
    at = text.find("@")
    while at >= 0:
        start = _local_start(text, at)
        domain = _domain(text, at + 1) or _LITERAL_HOST.match(text, at + 1)
        if domain and start < at:
            score = _email_score(text, start, domain)
            if score:
                yield Span(start=start, end=domain.end(), kind=EntityType.EMAIL, score=score, source="rules/email")
        at = text.find("@", at + 1)


def _local_start(text: str, at: int) -> int:
    start = at
    # A set of so many letters takes long to compile: not for a text that can have none of them.
    may_end = not text.isascii() and at > 0 and not _RUNNING_ON.match(text, at - 1)
    while start > 0 and at - start < 64 and _LOCAL.match(text, start - 1):
        if may_end and _RUNNING_ON.match(text, start - 1):
            break
        start -= 1
    while start < at and text[start] in ".-'\u2019%&":
        start += 1
    return start


def _domain(text: str, start: int) -> re.Match[str] | None:
    domain = _DOMAIN.match(text, start)
    cut = _RUN_ON.search(text, start, domain.end()) if domain and not text.isascii() else None
    if domain is None or cut is None or "." in text[cut.end() : domain.end()]:
        return domain  # a label that is followed by another one may hold letters of both kinds
    return _DOMAIN.match(text, start, cut.end())


def _email_score(text: str, start: int, domain: re.Match[str]) -> float:
    if text.startswith("git@", start) and text[domain.end() : domain.end() + 1] == ":":
        return 0.0
    labels = domain.group().split(".")
    named = _MAIL_WORD.search(text, max(0, start - _MAIL_WORD_REACH), start) is not None
    if labels[0].startswith("[") or (len(labels) >= 4 and all(label.isdecimal() for label in labels[:4])):
        return 0.95
    if len(labels) == 1:
        return _host_score(text, start, domain, named=named)
    last = labels[-1]
    if len(last) >= 2 and not last[0].isdecimal() and not labels[0].isdecimal():
        return 0.95
    return 0.7 if named or (last.isalpha() and not _VERSION.fullmatch(labels[0])) else 0.0


def _host_score(text: str, start: int, domain: re.Match[str], *, named: bool) -> float:
    """Score an address whose domain is the name of a host alone."""
    if named and text[start].isalnum():
        return 0.7
    host = domain.group().lower()
    before, after = text[start - 1 : start], text[domain.end() : domain.end() + 1]
    if before in {"/", "@"} or after == "/" or len(host) < 3 or host in _NOT_A_HOST or _VERSION.fullmatch(host):
        return 0.0
    return 0.6 if text[start].isalpha() else 0.0


def find_urls(view: Prepared) -> Iterator[Span]:
    """Find the links that carry something private; a plain public page is none."""
    text = view.text
    for pattern, starts in ((_URL, _url_starts(text)), (_BARE, _bare_starts(text))):
        for match in match_at(pattern, text, starts):
            url = _strip_end(match.group())
            if _is_private(url):
                yield Span(
                    start=match.start(),
                    end=match.start() + len(url),
                    kind=EntityType.URL,
                    score=0.9,
                    source="rules/url",
                )
    for match in _RELATIVE.finditer(text) if "?" in text else ():
        url = _strip_end(match.group())
        if _PRIVATE_KEY.search(url[url.index("?") :]):
            yield Span(
                start=match.start(), end=match.start() + len(url), kind=EntityType.URL, score=0.7, source="rules/url"
            )


def _url_starts(text: str) -> list[int]:
    """Return where a scheme may begin, up to 16 letters before its colon, or `www.`."""
    schemes = {
        start
        for colon in places_of(text, "://")
        for start in range(max(0, colon - 16), colon - 1)
        if not start or not (text[start - 1].isalnum() or text[start - 1] in "_@")
    }
    return sorted(schemes.union(places_of(text, "www.")))


def _bare_starts(text: str) -> Iterator[int]:
    """Yield where the host before a slash begins."""
    slash = text.find("/")
    while slash >= 0:
        if text[slash - 1 : slash].isalpha():
            before = text[max(0, slash - _LONGEST_HOST) : slash]
            host = len(before) - len(before.rstrip(_HOST_LETTERS))
            if "." in before[-host:]:
                yield slash - host
        slash = text.find("/", slash + 1)


def _strip_end(url: str) -> str:
    while url and url[-1] in ".,;:!?*_)]>'\"":
        if url[-1] == ")" and url.count("(") >= url.count(")"):
            break
        url = url[:-1]
    return url


def _is_private(url: str) -> bool:
    parts = _URL_PARTS.fullmatch(url)
    if parts is None:
        return True
    host, path, query = parts["host"].lower(), parts["path"], parts["query"] or ""
    if parts["user"] or "%40" in url or _INTERNAL.search(host):
        return True
    if query and (_PRIVATE_KEY.search(query) or _ID_PART.search(query)):
        return True
    if _PUBLIC_PATH.search(path):
        return False
    if len(path) > 1 and (_SHARE_HOSTS.search(host) or _USER_PATH.search(path) or _ID_PART.search(path)):
        return True
    return bool(parts["fragment"] and _ID_PART.search(parts["fragment"]))


def _handles(text: str) -> Iterator[Span]:
    for match in _HANDLE.finditer(text):
        name = match.group()[1:].rstrip(".-")
        if name.lower() in _NOT_A_HANDLE or name.lower().split(".")[0] in _NOT_A_HANDLE or len(name) < 2:
            continue
        following = text[match.end() : match.end() + 40].lstrip(" \t")
        if re.match(r"\r?\n\s*(?:def|class|async|public|private|protected|@|fun|func|void)\b", following):
            continue
        yield Span(
            start=match.start(),
            end=match.start() + 1 + len(name),
            kind=EntityType.USERNAME,
            score=0.75,
            source="rules/username",
        )
