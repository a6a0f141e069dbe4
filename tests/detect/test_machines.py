import pytest

from privguard.core.entities import EntityType
from privguard.detect.machines import find_machines
from privguard.detect.prepared import Prepared
from tests.growth import grows_in_proportion

DEVICE, USER = EntityType.DEVICE_ID, EntityType.USERNAME


def _found(text: str) -> list[tuple[str, EntityType]]:
    return [(text[span.start : span.end], span.kind) for span in find_machines(Prepared(text=text))]


def test_an_ssh_configuration_names_machines_and_accounts() -> None:
    text = "Mine:\nHost dusty\n  HostName bastion.quarry.example\n  User tkernberg\n  IdentityFile ~/.ssh/id\nHost *\n"
    assert _found(text) == [("dusty", DEVICE), ("bastion.quarry.example", DEVICE), ("tkernberg", USER)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<34>Mar  3 04:17:52 jump-ost1 sshd[201]: Failed password", ("jump-ost1", DEVICE)),
        ("log:\nJun 22 02:11:52 gw-ulm-02 sudo: ok", ("gw-ulm-02", DEVICE)),
        ("pg_dump -h 192.168.1.40 -U kontor latte > x.sql", ("kontor", USER)),
        ("mysql -u shop_rw -p shop", ("shop_rw", USER)),
        ("psql --username=tkernberg", ("tkernberg", USER)),
    ],
)
def test_lines_of_logs_and_commands_name_them(text: str, value: tuple[str, EntityType]) -> None:
    assert _found(text) == [value]


@pytest.mark.parametrize(
    "text",
    [
        "Host a dinner\nUser research\n",
        "Host github.com\n  HostName github.com\n  User git\n",
        "psql -U postgres; sudo -u tala ls",
        "May 3 04:17:52 was the time",
        "ssh -v is verbose",
        "Mar  3 04:17:52 localhost sshd[1]: x",
    ],
)
def test_words_and_names_that_everybody_has_are_none(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize("unit", ["Host dusty\n  HostName x1\n", "psql -h x ", "Mar  3 04:17:52 a1 b: "])
def test_it_takes_linear_time(unit: str) -> None:
    assert grows_in_proportion(lambda text: list(find_machines(Prepared(text=text))), unit)
