"""Names of machines and accounts where settings, logs and commands say that they are some.

`Host ledger` and `User tala` of an SSH configuration, the machine behind the time of a line of syslog, and the account
that a client of a database is given (`pg_dump -U tala`).
"""

from collections.abc import Iterator, Sequence

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import any_of, listed
from privguard.detect.prepared import Leads, Prepared, line_start, match_at

_SCORE = 0.7
_SOURCE = "rules/machine"
_INDENT = 8  # of a line, at most
_KEY_LEADS = Leads("host hostname user proxyjump")
# Nothing else stands in the line: a sentence that begins with "Host" goes on.
_LINE = lazy_pattern(
    rf"[ \t]{{0,{_INDENT}}}(?P<key>Host|HostName|User|ProxyJump)[ \t]{{1,8}}(?P<v>[A-Za-z0-9][\w.-]{{1,60}})"
    r"[ \t]{0,8}(?![^\r\n])"
)
_SSH = lazy_pattern(r"\n\s{0,8}(?:HostName|IdentityFile|ProxyJump|ProxyCommand|StrictHostKeyChecking|ForwardAgent) ")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTH_LEADS = Leads(_MONTHS)
_SYSLOG = lazy_pattern(
    rf"(?<![^\n>])(?i:{any_of(_MONTHS)}) [ \d]\d \d\d:\d\d:\d\d (?P<v>[A-Za-z][\w.-]{{1,60}}) "
    r"[A-Za-z][\w./()-]{0,40}(?:\[\d{1,8}\])?: "
)
_CLIENTS = (
    "psql pg_dump pg_dumpall pg_restore pg_basebackup createdb dropdb vacuumdb reindexdb mysql mysqldump mysqladmin "
    "mysqlimport mariadb mongosh mongodump mongorestore sqlcmd cqlsh ssh"
)
_CLIENT_LEADS = Leads(_CLIENTS)
_CLIENT = lazy_pattern(
    rf"{any_of(_CLIENTS)}(?=\s)[^\n|;&]{{0,160}}?\s(?:-[Uul]\s?|--user(?:name)?[ =])[\"']?(?P<v>[A-Za-z][\w.-]{{1,40}})"
)
# Accounts that every installation has, and hosts that everybody uses.
_EVERYWHERE = listed(
    "root admin administrator postgres mysql sa git ubuntu debian user username test localhost ip6-localhost "
    "github.com gitlab.com bitbucket.org"
)
_ACCOUNTS = frozenset({"User"})


def find_machines(view: Prepared) -> Iterator[Span]:
    """Find names of machines and of accounts."""
    text = view.text
    keys = _KEY_LEADS.starts(view)
    if keys and _SSH.search(text):
        for match in match_at(_LINE, text, _line_starts(text, keys)):
            kind = EntityType.USERNAME if match["key"] in _ACCOUNTS else EntityType.DEVICE_ID
            yield from _named(match.span("v"), text, kind)
    for match in match_at(_SYSLOG, text, _MONTH_LEADS.starts(view)):
        yield from _named(match.span("v"), text, EntityType.DEVICE_ID)
    for match in match_at(_CLIENT, text, _CLIENT_LEADS.starts(view)):
        yield from _named(match.span("v"), text, EntityType.USERNAME)


def _line_starts(text: str, words: Sequence[int]) -> Iterator[int]:
    """Yield where the lines begin that one of the words is the first of."""
    for word in words:
        start = line_start(text, word, within=_INDENT + 1)
        if start is not None:
            yield start


def _named(place: tuple[int, int], text: str, kind: EntityType) -> Iterator[Span]:
    if text[slice(*place)].lower() not in _EVERYWHERE:
        yield Span(start=place[0], end=place[1], kind=kind, score=_SCORE, source=_SOURCE)
