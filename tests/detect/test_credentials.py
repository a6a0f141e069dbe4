import pytest

from privguard.detect.credentials import find_credentials
from privguard.detect.merge import merge
from privguard.detect.prepared import Prepared


def _found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in merge(find_credentials(Prepared(text=text)), text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("password: hunter2", "hunter2"),
        ("my password is hunter2.", "hunter2"),
        ("PASSWORD=Tr0ub4dor&3;", "Tr0ub4dor&3"),
        ('"password": "purple window"', "purple window"),
        ("define('DB_PASSWORD', 'lantern4711');", "lantern4711"),
        ("das Passwort lautet Igel4711 (bitte", "Igel4711"),
        ("la contraseña es nube_77", "nube_77"),
        ("le mot de passe : Corail_4711", "Corail_4711"),
        ("het wachtwoord is Tulp-2019", "Tulp-2019"),
        ("a senha é Praia#22", "Praia#22"),
        ("hasło: Wisla!88", "Wisla!88"),
        ("пароль kotik_4711", "kotik_4711"),
        ("wifi password (Seeblick-4711)", "Seeblick-4711"),
        ("the password for the zip is Walnut-4711", "Walnut-4711"),
        ("router password at ours is Murmel-4711", "Murmel-4711"),
        ("the password is Larkholm", "Larkholm"),
        ("the password is purple window marble tundra.", "purple window marble tundra"),
        ("my PIN is 4471", "4471"),
        ("door code: 7316#", "7316#"),
        ("PIN 8842,", "8842"),
        ("API_KEY=abcd1234efgh5678", "abcd1234efgh5678"),
        ("client_secret = 'zz-9900-aa'", "zz-9900-aa"),
        ("aws_secret_access_key: wJalrXUtnFEMIK7MDENGbPxRfiCYzzz1", "wJalrXUtnFEMIK7MDENGbPxRfiCYzzz1"),
        ("Authorization: Bearer abc.def-123456789", "abc.def-123456789"),
        ("curl -u ada:s3cr3t! https://x.example", "s3cr3t!"),
        ("postgres://app:zX8-kLm@db.internal:5432/x", "zX8-kLm"),
        ("Server=db;Uid=app;Pwd=Kestrel99;", "Kestrel99"),
        ("https://x.example/reset?token=9f8e7d6c5b4a", "9f8e7d6c5b4a"),
        ("memorable word is Larkholm7", "Larkholm7"),
        ("password: Tr0ub&dor<3> ok", "Tr0ub&dor<3>"),
        ("<td>password: hunter2x9</td>", "hunter2x9"),
    ],
)
def test_the_value_alone_is_the_span(text: str, expected: str) -> None:
    assert _found(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        'MFA: "planned for Q3"',
        "the password is required",
        "password must have 8 characters",
        "forgot password? reset your password",
        "token limit: 4096 and max_tokens: 256",
        "secret santa; the secret is to listen",
        "the key is under the mat",
        "keyboard: qwerty; monkey: funny",
        "password = os.environ['X']",
        "password: ${DB_PASSWORD}",
        "password: <your password>",
        "password: str = Field()",
        "password: ********",
        "def login(password: str) -> None:",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "integrity sha512-Ym2xQ0f1Zw3f7868Yw3KZBSHA0b3BhcnQ==",
        "id 123e4567-e89b-42d3-a456-426614174000",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA",
        "the code is ready; error code 404",
        "pin the message; a pin is sharp",
        "password: [SECRET_7QK2]",
        "https://www.example.com/search?q=token",
        "bearer of good news",
    ],
)
def test_prose_code_and_hashes_are_no_secrets(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("密码是hunter2pass请保密", ["hunter2pass"]),
        ("我的Wi-Fi密碼為Tr0ub4dor&3!，謝謝", ["Tr0ub4dor&3!"]),
        ("パスワードはhunter2passです", ["hunter2pass"]),
        ("비밀번호는 471100입니다", ["471100"]),
        ("รหัสผ่านคือhunter2passครับ", ["hunter2pass"]),
        ("密码是“Xk9#mQ2vLw7p”", ["Xk9#mQ2vLw7p"]),
        ("密码是  Xk9#mQ2vLw7p，", ["Xk9#mQ2vLw7p"]),
        ("我的密码是" + "Xk9#mQ2v" * 20 + "，谢谢", ["Xk9#mQ2v" * 20]),
        ("密码是SHA256加密的，密码是OAuth，密码是必填项", []),
    ],
)
def test_a_password_is_found_where_words_run_on(text: str, expected: list[str]) -> None:
    assert _found(text) == expected
