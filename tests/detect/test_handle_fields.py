import pytest

from privguard.core.entities import EntityType
from privguard.detect.handle_fields import find_handle_fields
from privguard.detect.prepared import Prepared
from tests.growth import grows_in_proportion


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_handle_fields(Prepared(text=text))]


@pytest.mark.parametrize(
    "lead",
    [
        "owner=",
        "created_by=",
        "reviewer=",
        "uid=",
        "principal=",
        "createdby: ",
        "Assignee: ",
        '"updated_by": "',
        "sub=",
    ],
)
@pytest.mark.parametrize("value", ["tala.kernberg", "t.kernberg", "tkernberg7", "tala.kernberg2"])
def test_who_did_something_is_a_user_name(lead: str, value: str) -> None:
    assert _found(f"INFO {lead}{value} result=ok") == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("created_by=tkernberg,", "tkernberg"),
        ("sAMAccountName: tkernberg", "tkernberg"),
        ("owner=CORP\\tala", "CORP\\tala"),
        ("uid=tala.kernberg,ou=people,dc=corp,dc=example", "tala.kernberg"),
        ("uid=1001(tala) gid=0(root)", "tala"),
        ("logged on as CORP\\tala.kernberg today", "tala.kernberg"),
        ("CONTOSO\\tkernberg7 was locked out", "tkernberg7"),
        ("suser=tala.kernberg act=block", "tala.kernberg"),
        ("src_user=tala.kernberg", "tala.kernberg"),
        ("MYSQL_USER: shop_rw", "shop_rw"),
        ("billing_owner: tala.kernberg", "tala.kernberg"),
        ("you are logged in as tala.kernberg.", "tala.kernberg"),
        ("closed by t.kernberg, again", "t.kernberg"),
        ("tala:x:1001:1001:,,,:/home/tala:/bin/bash", "tala"),
        ("denied: CORP\\\\tala.kernberg", "tala.kernberg"),
    ],
)
def test_directories_and_domains_name_their_users(text: str, value: str) -> None:
    assert _found(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "owner=repo.owner",
        "created_user = current_user",
        "author=self.author, reviewer=request.user",
        "uid=1000 gid=1000",
        "uid=0(root) groups=27(sudo)",
        "owner: platform-team",
        "created_by: system",
        "created_by: the team",
        "subject: Meeting on Tuesday",
        "author = models.ForeignKey(User)",
        "principal: s3.amazonaws.com",
        "maintainer: github.actions",
        "account: 12345",
        "ERROR\\nfailed and WARN\\tdone.ok_now",
        "HKLM\\Software\\Thing and C:\\tala.kernberg",
        "owner: tala.kernberg@corp.example",
        "owner=README.md",
        "order_by=price.ascending, sort_by: price.down",
        "run by node.js, assigned to e.g. them, created by example.com",
        "daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin",
        "created_by: Optional[str] = None",
        "caller = inspect.stack()",
    ],
)
def test_attributes_teams_numbers_and_paths_are_none(text: str) -> None:
    assert _found(text) == []


def test_a_line_of_passwd_names_its_account_and_its_person() -> None:
    line = "tala:x:1001:1001:Tala Kernberg,,,:/home/tala:/bin/bash"
    found = {(line[span.start : span.end], span.kind) for span in find_handle_fields(Prepared(text=line))}
    assert found == {("tala", EntityType.USERNAME), ("Tala Kernberg", EntityType.PERSON)}


@pytest.mark.parametrize("piece", ["owner=", "A\\\\", "uid=1(", "sub=a.", "CORP\\a.", "a:x:1001:1:", "created by a."])
def test_a_long_text_costs_time_in_proportion(piece: str) -> None:
    assert grows_in_proportion(lambda text: list(find_handle_fields(Prepared(text=text))), piece, 20_000)
