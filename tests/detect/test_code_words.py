import pytest

from privguard.core.entities import EntityType
from privguard.core.spans import Span
from privguard.detect.code_words import without_clocks, without_code


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


@pytest.mark.parametrize(
    "value",
    ["tala.kernberg", "t.kernberg", "mira.okafor", "jimmy.page", "tala.van.kernberg", "Tala.Kernberg", "leila.haddad"],
)
@pytest.mark.parametrize("text", ["user={}", "INFO login={} ok", "owner = {}", "f(user={}, n=1)", "user={}(uid=1001)"])
def test_the_handle_of_a_person_behind_an_equals_sign_is_no_code(text: str, value: str) -> None:
    assert kept(text.format(value), value, EntityType.USERNAME)


@pytest.mark.parametrize(
    "value",
    [
        "request.user",
        "self.name",
        "config.user",
        "app.login",
        "u.name",
        "current_user.login",
        "order.customer",
        "repo.owner",
        "invoice.createdBy",
        "tala.username",
        "page.author",
        "buildInfo.committer",
        "tala.get_name()",
    ],
)
@pytest.mark.parametrize("text", ["user={}", "login = {};", "f(user={}, n=1)"])
def test_an_attribute_of_a_program_is_no_handle(text: str, value: str) -> None:
    assert not kept(text.format(value), value.removesuffix("()"), EntityType.USERNAME)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("DB_PASSWORD=blue.horse", True),
        ("password=tala.kernberg\n", True),
        ("login(password=blue.horse)", False),
        ("password = blue.horse", True),
        ("password = blue.horse;", False),
        ("token = lexer.next", False),
        ("password=config.horse", False),
    ],
)
def test_a_dotted_password_of_a_settings_file_is_a_secret(text: str, left: bool) -> None:
    value = text.split("=")[1].strip().rstrip(");")
    assert kept(text, value) is left


@pytest.mark.parametrize("value", ["req", "body.password", "password"])
def test_a_part_of_an_attribute_is_no_secret(value: str) -> None:
    text = "key = req.body.password"
    start = text.rindex(value)
    found = Span(start=start, end=start + len(value), kind=EntityType.SECRET, score=0.8, source="test")
    assert list(without_code(text, [found])) == []


@pytest.mark.parametrize(("text", "left"), [("secret = random.bytes(32)", False), ("secret = seal('32')", True)])
def test_a_bare_argument_of_a_call_is_no_secret_a_quoted_one_may_be(text: str, left: bool) -> None:
    start = text.index("32")
    found = Span(start=start, end=start + 2, kind=EntityType.SECRET, score=0.8, source="test")
    assert bool(list(without_code(text, [found]))) is left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('{"ts": 1709294400000}', False),
        ("created_at=1709294400", False),
        ("account 1709294400", True),
        ('{"phone": 1709294400}', True),
        ("ts: 12345", True),
        ("1709294400000", False),
        ("1709294400", True),
    ],
)
def test_only_a_number_behind_the_name_of_a_clock_is_one(text: str, left: bool) -> None:
    digits = "".join(letter for letter in text if letter.isdigit())
    start = text.index(digits)
    found = Span(start=start, end=start + len(digits), kind=EntityType.PHONE, score=0.6, source="test")
    assert bool(list(without_clocks(text, [found]))) is left
