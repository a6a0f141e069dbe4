import pytest

from privguard.detect.assigned import find_assigned
from tests.growth import grows_in_proportion


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_assigned(text)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("SELECT * FROM users WHERE last_name = 'Brandt'", ["Brandt"]),
        ("WHERE surname LIKE '%Kern%' AND u.first_name <> 'Mia';", ["Kern", "Mia"]),
        ("UPDATE customers SET last_name = 'O''Brien' WHERE id = 7", ["O''Brien"]),
        ('addUser(firstName: "Mia", lastName: "Brandt")', ["Mia", "Brandt"]),
        ("User(first_name='Mia', last_name=\"Brandt\")", ["Mia", "Brandt"]),
        ('df[df["last_name"] == "Brandt"]', ["Brandt"]),
        ("{'password': 'hunter22b'}", ["hunter22b"]),
        ("WHERE last_name IN ('brandt', 'Kern') AND lower(surname) = 'osei'", ["osei", "brandt", "Kern"]),
        ("user.setLastName('Brandt').with_first_name(\"Mia\")", ["Brandt", "Mia"]),
        ("export default { lastName: `Brandt` }", ["Brandt"]),
        ("POST lastName=brandt&plan=gold&firstName=mia", ["brandt", "mia"]),
        ("add --last-name brandt --plan gold --first-name=mia", ["brandt", "mia"]),
        ("<lastName>Marsh</lastName>", ["Marsh"]),
        ('<ns:Nachname xml:lang="de"> Marsh </ns:Nachname>', ["Marsh"]),
        ('<user lastName="Marsh" phone="555 0100"/>', ["Marsh", "555 0100"]),
        ('<input name="lastname" value="Marsh">', ["Marsh"]),
        ("<input value='hunter22b' type='password' id='password'>", ["hunter22b"]),
        ("// TODO(okafor): mend, FIXME(m.brandt)", ["okafor", "m.brandt"]),
        ("INFO user=mia.brandt action=login", ["mia.brandt"]),
        ("2031-04-05 06:07:08 login failed user=mia.brandt", ["mia.brandt"]),
    ],
)
def test_a_name_introduces_its_value(text: str, values: list[str]) -> None:
    assert found(text) == values


@pytest.mark.parametrize(
    "text",
    [
        'The field "last name" = "required"',
        'labels = {"lastName": "Nachname", "password": "Passwort"}',
        'last_name = "%s"',
        "last_name = last_name",
        "user=request.user",
        "pip install --user requests",
        "if last_name=name and x&1",
        "--last-name LAST_NAME",
        "TODO(later), TODO(b/123), TODO(#7), todo(okafor)",
        'def of(full_name):\n  """Makes one."""',
        "last_name IN (SELECT 'x')",
        "Set user=mia.brandt there",
        '<input name="lastname" value="">',
        '<input name="plan" value="gold">',
        "<title>Marsh</title>",
        '"name": "Widget"',
        "his last name is 'long'",
    ],
)
def test_what_only_looks_like_it_is_none(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "piece",
    ["last_name = '", "<lastName a", '<input name="', 'a "', "''", "\\'", "x", "user=mia ", "user=", "<a>", "last_"],
)
def test_a_long_text_costs_time_in_proportion(piece: str) -> None:
    assert grows_in_proportion(lambda text: list(find_assigned(text)), piece, 20_000, "12:30:00 last_name='")
