import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.code_words import without_code


def kept(text: str, value: str, kind: EntityType = EntityType.SECRET) -> bool:
    start = text.index(value)
    found = Span(start=start, end=start + len(value), kind=kind, score=0.8, source="test")
    return list(without_code(text, [found])) == [found]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("const token = await getToken()", "await"),
        ("username: str", "str"),
        ("password = req.body.password", "req.body.password"),
        ("secret = crypto.randomBytes(32)", "crypto.randomBytes(32"),
        ("token = token.strip()", "token.strip"),
        ("user = request.form['user']", "request.form['user']"),
    ],
)
def test_code_is_no_secret(text: str, value: str) -> None:
    assert not kept(text, value)
    assert kept(text, value, EntityType.PERSON)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password = hunter2", "hunter2"),
        ("password = Tr0ub(ador)", "Tr0ub(ador)"),
        ("password: correct.horse.battery", "correct.horse.battery"),
        ("password is sunshine", "sunshine"),
        ('password = "req.body"', '"req.body"'),
    ],
)
def test_passwords_stay_secrets(text: str, value: str) -> None:
    assert kept(text, value)
