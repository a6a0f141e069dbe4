"""The address of a database keeps its password, and a link says what stands against a vacuum."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.audit.postgres_link import Address, _Notices, is_postgres, is_url
from privguard.core.errors import ConfigError

pytest.importorskip("psycopg")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgresql://ada:Canary@db.example:5433/audit", "postgresql://db.example:5433/audit"),
        ("postgres://db.example/audit?password=Canary&sslmode=require", "postgresql://db.example/audit"),
        ("postgresql:///audit?host=/run/postgresql", "postgresql:///run/postgresql/audit"),
        ("postgresql://ada@[::1]/audit", "postgresql://::1/audit"),
        ("postgresql://a.example,b.example/audit", "postgresql://a.example,b.example/audit"),
        ("postgresql://ada:Can@ary@db.example/audit", "postgresql://…"),
        ("postgresql://", "postgresql:///"),
    ],
    ids=range(7),
)
def test_a_name_has_neither_user_nor_password(url: str, name: str) -> None:
    address = Address(url)
    assert address.name == name
    assert repr(address) == f"Address({name})"
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(address)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20))
def test_whatever_stands_in_a_password_is_not_shown(text: str) -> None:
    said = []
    try:
        said.append(Address(f"postgresql://ada:Canary{text}@db.example/audit").name)
    except ConfigError as error:
        said += [str(error), str(error.__context__)]
    assert "Canary" not in "".join(said)


def test_only_urls_of_postgresql_are_some() -> None:
    specs = ["postgresql://h/d", "postgres://h/d", "postgresql:/h/d", "postgresql+psycopg://h/d", "a.sqlite", None]
    assert [is_postgres(spec) for spec in specs] == [True, True, False, False, False, False]


def test_what_may_hold_a_password_is_no_path() -> None:
    specs = ["mysql://h/d", "postgresql:/h/d", "sqlite:///a", "a/b.sqlite", "C:/a.sqlite", "/a:/b", "memory:"]
    assert [is_url(spec) for spec in specs] == [True, True, True, False, False, False, False]


class Notice:
    """What a server says."""

    def __init__(self, severity: str, detail: str | None) -> None:
        self.severity_nonlocalized, self.message_detail = severity, detail


@pytest.mark.parametrize(
    ("severity", "detail", "obstacle"),
    [
        ("INFO", None, ""),
        ("INFO", "0 dead row versions cannot be removed yet.\nCPU: user: 3 s", ""),
        ("INFO", "2 dead row versions cannot be removed yet.", "older state"),
        ("INFO", "Noch 12 tote Zeilenversionen", "older state"),
        ("WARNING", None, "somebody else"),
    ],
    ids=range(5),
)
def test_what_a_vacuum_could_not_do_is_noticed(severity: str, detail: str | None, obstacle: str) -> None:
    notices = _Notices()
    notices.take(Notice(severity, detail))  # type: ignore[arg-type]
    assert obstacle in notices.obstacle
    assert bool(notices.obstacle) == bool(obstacle)
