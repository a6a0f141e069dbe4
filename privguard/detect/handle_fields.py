r"""User names in fields that name who did something, as logs, tickets and directories write them.

`created_by=tala.kernberg`, `reviewer: tkernberg7`, `uid=1001(tala)`, `CORP\tala.kernberg`. The words in front are said
of things as well, so the value must look like a handle.
"""

import re
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.code_words import is_attribute
from privguard.detect.found import listed, take, words
from privguard.detect.ordinary import is_ordinary
from privguard.detect.prepared import Leads, Prepared, match_at, places_of

_SCORE = 0.7
_SOURCE = "rules/username"
_BY = (
    "created_by updated_by modified_by changed_by edited_by deleted_by requested_by submitted_by approved_by "
    "assigned_to assigned_by reviewed_by deployed_by started_by stopped_by triggered_by performed_by executed_by "
    "run_by opened_by closed_by resolved_by merged_by uploaded_by signed_by initiated_by last_modified_by logged_in_as "
    "run_as logname samaccountname s_am_account_name user_principal_name remote_user auth_user sudo_user "
    "effective_user client_user db_user dbuser os_user login_user target_user source_user subject_user_name "
    "target_user_name"
)
_WHO = (
    "owner author reviewer approver assignee committer maintainer reporter uid principal actor operator caller subject "
    "uname usr upn initiator requester requestor submitter creator editor uploader member session_owner job_owner "
    "file_owner repo_owner cn sub acct account euser ruser luser suser duser xuser auid ouid usrname susername "
    "dusername src_user dst_user source_user_name destination_user_name cs-username"
)
# Of any name that ends so, but for those that tell the order of things.
_ENDS = ("_user", "_by", "_owner", "_username", "_login")
_COMPOUND = (
    r"(?<!\w)(?!(?:sort|order|group|partition|cluster|filter)_by)\w{1,30}_(?:user|by|owner|username|login)(?!\w)"
)
_LEADS = Leads(f"{_BY} {_WHO}")
_DOMAIN = r"(?:[A-Za-z][\w.-]{0,30}\\{1,2})"
_FIELD = lazy_pattern(
    rf"(?:(?P<by>{words(_BY)})|{words(_WHO)}|(?P<setting>{_COMPOUND}))[\"'”]?\s{{0,2}}[:=]\s{{0,2}}[\"'“`]?"
    rf"(?P<v>{_DOMAIN}?[^\W_](?:[\w-]|\.(?=\w)){{1,40}})(?![\w@\\/[]|\((?!(?:uid=\d*|\d+)\)))",
    re.IGNORECASE,
)
_DOTTED = lazy_pattern(r"[^\W\d_][\w-]*(?:\.[^\W\d_][\w-]+){1,3}")
# In a sentence: `logged in as tala.kernberg`.
_SAID = lazy_pattern(
    rf"{words(_BY)}\s(?:user\s)?[\"'“`(]?(?P<v>(?-i:[a-z][a-z-]{{0,20}}(?:\.[a-z][a-z-]{{1,20}}){{1,2}}\d{{0,4}}))(?![\w@\\/(]|\.\w)",
    re.IGNORECASE,
)
_NUMBERED = lazy_pattern(r"[^\W\d_]{2,20}(?:[._-][^\W\d_]{1,20})?\d{1,6}")
_WORD = lazy_pattern(r"[^\W\d_]{3,20}")
_JOINED = lazy_pattern(r"[a-z][a-z0-9]{1,20}(?:_[a-z0-9]{1,20}){1,3}")
# `uid=1001(tala) gid=1001(tala)`, as `id` and PAM print it.
_UNIX_ID = lazy_pattern(r"(?:uid|euid|gid|groups)=\d{1,7}\((?P<v>[A-Za-z_][\w.-]{1,31})\)")
# A line of /etc/passwd; the accounts of people have numbers from 1000 on.
_PASSWD = lazy_pattern(
    r"(?:^|(?<=[\s\"'`]))(?P<v>[a-z_][\w.-]{0,31}):[x*!]?:[1-9]\d{3,6}:\d{1,7}:(?P<name>[^:,\n]{0,80})[^:\n]{0,120}:/",
    re.MULTILINE,
)
_PASSWD_SIGN = lazy_pattern(r":[x*!]?:\d{4}")
# Of Windows: a domain in capitals, and a name that is no escape (`ERROR\nfailed`) and no folder.
_ACCOUNT = lazy_pattern(
    r"(?<![\w\\/:.$%-])[A-Z][A-Z0-9-]{1,14}\\{1,2}(?P<v>[a-z][a-z-]{0,20}[._][a-z][a-z-]{1,20}\d{0,4}|[a-z]{2,20}\d{1,4})"
    r"(?![\w\\/(])"
)
_ROLES = listed(
    "root daemon wheel sudo adm admin docker users staff nobody audio video plugdev dialout cdrom system none null me "
    "you true false unknown anonymous public everyone"
)


def find_handle_fields(view: Prepared) -> Iterator[Span]:
    """Find user names behind the words for who did something, and behind the name of a domain."""
    text = view.text
    leads = _LEADS.starts(view)
    compound = (start for token, starts in view.tokens.items() if token.endswith(_ENDS) for start in starts)
    named = (match for match in match_at(_FIELD, text, sorted({*leads, *compound})) if _is_handle(match))
    yield from take(named, EntityType.USERNAME, _SCORE, _SOURCE)
    said = (match for match in match_at(_SAID, text, leads) if not is_attribute(match["v"]))
    yield from take(said, EntityType.USERNAME, _SCORE, _SOURCE)
    yield from _passwd(text)
    ids = (match for match in _UNIX_ID.finditer(text) if match["v"] not in _ROLES) if "id=" in text else ()
    yield from take(ids, EntityType.USERNAME, _SCORE, _SOURCE)
    for place in places_of(text, "\\"):
        account = None if text[place - 1 : place] == "\\" else _ACCOUNT.search(text, max(0, place - 15), place + 50)
        if account and account.start() < place < account.start("v") and not is_attribute(account["v"]):
            yield from take([account], EntityType.USERNAME, _SCORE, _SOURCE)


def _passwd(text: str) -> Iterator[Span]:
    for match in _PASSWD.finditer(text) if _PASSWD_SIGN.search(text) else ():
        yield from take([match], EntityType.USERNAME, _SCORE, "rules/passwd")
        if " " in match["name"].strip():
            start, end = match.span("name")
            yield Span(start=start, end=end, kind=EntityType.PERSON, score=_SCORE, source="rules/passwd")


def _is_handle(match: re.Match[str]) -> bool:
    """Tell whether a value looks like a handle: dotted, numbered, in a domain, or a word that is none."""
    value = match["v"]
    name = value.rpartition("\\")[2]
    if is_attribute(name) or name.lower() in _ROLES:
        return False
    if len(name) < len(value) or _DOTTED.fullmatch(name) or _NUMBERED.fullmatch(name):
        return True
    if match["setting"] and match["setting"].isupper() and _JOINED.fullmatch(name):
        return True  # a variable of the environment; in a program this would be the name of another one
    return match["by"] is not None and _WORD.fullmatch(name) is not None and not is_ordinary(name)
