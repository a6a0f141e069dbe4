import pytest

from privguard.core.entities import EntityType
from privguard.detect.contact import find_contacts, find_emails
from privguard.detect.merge import merge
from privguard.detect.prepared import Prepared


def _found(text: str, kind: EntityType) -> list[str]:
    return [
        text[span.start : span.end] for span in merge(find_contacts(Prepared(text=text)), text) if span.kind is kind
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mail ada.roth+tag@mail.roth.example.", "ada.roth+tag@mail.roth.example"),
        ("<ADA@ROTH.EXAMPLE>", "ADA@ROTH.EXAMPLE"),
        ("jörg@bücher.example", "jörg@bücher.example"),
        ("root@build01.internal", "root@build01.internal"),
        ("ada@192.0.2.1 logged in", "ada@192.0.2.1"),
        ("mailto:ada@roth.example?subject=x", "ada@roth.example"),
        ("email=ada@roth.example&x=1", "ada@roth.example"),
        ("😀ada@roth.example", "ada@roth.example"),
        ("ada (at) roth (dot) example", "ada (at) roth (dot) example"),
        ("('ada@roth.example')", "ada@roth.example"),
    ],
)
def test_addresses_are_found_whole(text: str, expected: str) -> None:
    assert _found(text, EntityType.EMAIL) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "npm i lodash@4.17.21 react@latest",
        "uses: actions/checkout@v4",
        "git clone git@code.example:ada/x",
        "a @ b @",
        "@property\ndef x(self): ...",
        "C = A@B",
        "dot product at the dot. dot com",
    ],
)
def test_what_only_holds_an_at_sign_is_no_address(text: str) -> None:
    assert _found(text, EntityType.EMAIL) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/reset?token=9f8e7d6c",
        "https://shop.example/invite?email=ada%40roth.example",
        "https://chat.example/users/ada.roth",
        "https://drive.google.com/file/d/1AbCdEfGhIjKlMn/view",
        "https://www.linkedin.com/in/ada-roth-777",
        "http://wiki.corp.internal/people",
        "https://files.example/6f1c8d0a-7b1e-4b57-9f61-0d2a6c0c9a11",
        "calendly.com/ada-roth",
    ],
)
def test_links_that_identify_are_found_whole(url: str) -> None:
    assert _found(f"see ({url}), please", EntityType.URL) == [url]


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.python.org/3/library/re.html",
        "https://www.example.com/",
        "https://en.wikipedia.org/wiki/Privacy",
        "https://github.com/python/cpython/issues/1063",
        "https://example.com/blog/how-to-write-tests",
    ],
)
def test_public_pages_are_no_secret(url: str) -> None:
    assert _found(f"see {url}.", EntityType.URL) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ask @ada_roth about it", "@ada_roth"),
        ("username: ada.roth7", "ada.roth7"),
        ("my login is kole_b", "kole_b"),
        ("user=jdoe42 shell=/bin/sh", "jdoe42"),
        ("Failed password for invalid user kole from", "kole"),
        ("sshd[20114]: Invalid user kole from 198.51.100.7 port 51834", "kole"),
        ("/home/kole/x.txt", "kole"),
        (r"C:\Users\Kole\x.txt", "Kole"),
        ("add lind#7305 on discord", "lind#7305"),
        ("Benutzername: ada.r", "ada.r"),
    ],
)
def test_user_names_are_found(text: str, expected: str) -> None:
    assert _found(text, EntityType.USERNAME) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "@dataclass\nclass X: ...",
        "@app.route('/x')\ndef f(): ...",
        "the user is required to sign",
        "user experience and login page",
        "import x from '@types/node'",
        "@media print { }",
        "I'll handle style. Two columns",
    ],
)
def test_words_and_decorators_are_no_user_names(text: str) -> None:
    assert _found(text, EntityType.USERNAME) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ada@roth.test", "ada@roth.test"),
        ("to ben@kole.invalid now", "ben@kole.invalid"),
        ("ada@mail.internal, ok", "ada@mail.internal"),
        ("ada@roth.zzqx", "ada@roth.zzqx"),
        ("ada@roth.e", "ada@roth.e"),
        ("ada@roth", "ada@roth"),
        ("mail: 1ada@qx", "1ada@qx"),
        ("e-mail 7b@h2", "7b@h2"),
        ("ada@[203.0.113.7]", "ada@[203.0.113.7]"),
        ("ada(at)roth.example", "ada(at)roth.example"),
        ("ada.roth [at] mail.roth.example!", "ada.roth [at] mail.roth.example"),
        ("ada@roth dot example", "ada@roth dot example"),
        ("at ada underscore roth at kole dash lind dot example", "ada underscore roth at kole dash lind dot example"),
    ],
)
def test_an_address_is_found_whatever_its_domain(text: str, expected: str) -> None:
    assert _found(text, EntityType.EMAIL) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "npm i pkg@1.2",
        "pkg@v1.x",
        "lib@2",
        "img@2x",
        "@ada",
        "a @ b",
        "meet at (at) 5",
        "uses@",
        "git@host.example:a/b",
    ],
)
def test_versions_and_other_at_signs_are_no_addresses(text: str) -> None:
    assert _found(text, EntityType.EMAIL) == []


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("我的邮箱是ka.li@ka.example请回复", "ka.li@ka.example"),
        ("メールはka@mail.ka.exampleです", "ka@mail.ka.example"),
        ("이메일은ka@ka.example입니다", "ka@ka.example"),
        ("อีเมลka@ka.exampleโทร", "ka@ka.example"),
        ("请写信给用户@例子.example", "请写信给用户@例子.example"),
        ("mia@sushi寿司.example", "mia@sushi寿司.example"),
        ("user@mail.example公司.example", "user@mail.example公司.example"),
    ],
)
def test_an_address_ends_where_words_run_on_in_another_script(text: str, address: str) -> None:
    assert [text[span.start : span.end] for span in find_emails(text)] == [address]
