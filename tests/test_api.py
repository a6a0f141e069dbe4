import re
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

import privguard
from privguard import api
from privguard.audit import MemorySink
from privguard.audit.settings import AUDIT_VARIABLE
from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError, ProtectionError, UnknownContentError
from privguard.settings import KEY_VARIABLE
from privguard.testing import FakeDetector, FakeNeed, ListSink
from privguard.vault.opening import VAULT_KEY_VARIABLE, VAULT_VARIABLE, open_vault

DETECTOR = FakeDetector({"Ada Roth": EntityType.PERSON, "ada@roth.example": EntityType.EMAIL})
KEY = "correct horse battery staple"


@pytest.fixture
def guard(sink: ListSink) -> privguard.Guard:
    return privguard.load_guard(detector=DETECTOR, key=KEY, audit=sink, profiles={})


@pytest.fixture
def sink() -> ListSink:
    return ListSink()


def test_a_text_comes_back_whole_and_streamed(guard: privguard.Guard, sink: ListSink) -> None:
    with privguard.minimize("I am Ada Roth", target="gpt-5", guard=guard) as exchange:
        assert re.fullmatch(r"I am \[PERSON_\w+\]", exchange.outgoing)
        assert exchange.restore(exchange.outgoing) == "I am Ada Roth"
        stream = exchange.stream()
        assert "".join([*map(stream.feed, exchange.outgoing), stream.flush()]) == "I am Ada Roth"
    assert len(sink.records) == 1


def test_messages_keep_their_shape(guard: privguard.Guard) -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "I am Ada Roth"}]}]
    exchange = privguard.minimize(messages, target="gpt-5", guard=guard)
    (message,) = exchange.outgoing
    assert message["role"] == "user"
    assert re.fullmatch(r"\[\{'type': 'text', 'text': 'I am \[PERSON_\w+\]'\}\]", str(message["content"]))
    assert messages == [{"role": "user", "content": [{"type": "text", "text": "I am Ada Roth"}]}]


def test_json_in_a_text_is_read_inside(guard: privguard.Guard) -> None:
    with privguard.minimize('{"name": "Ad\\u0061 Roth", "n": 1.50}', target="gpt-5", guard=guard) as exchange:
        assert re.fullmatch(r'\{"name": "\[PERSON_\w+\]", "n": 1\.50\}', exchange.outgoing)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Ad\\u0061 Roth", "n": [1, 2.50]}',
        '{"name": "Ad\\u0061 Roth", "n": NaN',
        'It said "Ad\\u0061 Roth"\nand Ada Roth.',
        '{"log": "{\\"to\\": \\"Ad\\\\u0061 Roth\\"}"}',
        "[PERSON_7QK2] and Ada Roth",
        "[1]",
    ],
)
def test_minimized_text_passes_a_second_time_unchanged(guard: privguard.Guard, text: str) -> None:
    outgoing = privguard.minimize(text, target="gpt-5", guard=guard).outgoing
    again = privguard.minimize(outgoing, target="gpt-5", guard=guard)
    assert again.outgoing == outgoing
    assert "Roth" not in outgoing
    assert again.restore(outgoing) == outgoing


@pytest.mark.parametrize(
    "content",
    [
        None,
        5,
        {"role": "user", "content": "x"},
        [{"role": "user", "content": b"x"}],
        [{"role": "user", "content": "x", 1: "y"}],
    ],
    ids=["nothing", "a number", "one message", "bytes", "a key that is no text"],
)
def test_what_cannot_be_minimized_is_refused_and_recorded(content: Any, sink: ListSink) -> None:  # noqa: ANN401 - what a caller may get wrong
    guard = privguard.load_guard(detector=DETECTOR, key=KEY, audit=sink, profiles={})
    with pytest.raises(UnknownContentError):
        privguard.minimize(content, target="gpt-5", guard=guard)
    assert [(record.route, record.outcome.value) for record in sink.records] == [("by-hand", "blocked")]


def test_two_spellings_of_one_value_as_keys_stay_two_keys(sink: ListSink) -> None:
    values = {"Ada Roth": EntityType.PERSON, "ada roth": EntityType.PERSON}
    guard = privguard.load_guard(detector=FakeDetector(values), key=KEY, audit=sink, profiles={})
    content = [{"role": "user", "content": "x", "Ada Roth": 1, "ada roth": 2}]
    outgoing = privguard.minimize(content, target="gpt-5", guard=guard).outgoing
    assert [len(message) for message in outgoing] == [4]
    assert "roth" not in str(outgoing).lower()


def test_a_mapping_that_fails_is_refused_without_its_message(guard: privguard.Guard, sink: ListSink) -> None:
    class Broken(dict[str, object]):
        def items(self) -> NoReturn:
            raise ValueError("Ada Roth")

    with pytest.raises(UnknownContentError) as refused:
        privguard.minimize([Broken(role="user", content="x")], target="gpt-5", guard=guard)
    assert "Ada" not in str(refused.value)
    assert len(sink.records) == 1


def test_one_key_gives_one_placeholder_in_every_guard() -> None:
    def outgoing(key: str | bytes) -> str:
        guard = privguard.load_guard(detector=DETECTOR, key=key, audit="off", profiles={})
        return privguard.minimize("Ada Roth", target="gpt-5", guard=guard).outgoing

    assert outgoing(KEY) == outgoing(KEY)
    assert outgoing(KEY) != outgoing("another key of enough length")
    assert outgoing(b"0123456789abcdef") == outgoing(b"0123456789abcdef")


def test_the_key_and_the_audit_log_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    monkeypatch.setenv(AUDIT_VARIABLE, str(tmp_path / "audit.jsonl"))
    first, second = (privguard.load_guard(detector=DETECTOR, profiles={}) for _ in range(2))
    exchanges = [privguard.minimize("Ada Roth", target="m", guard=guard) for guard in (first, second)]
    assert exchanges[0].outgoing == exchanges[1].outgoing
    for exchange in exchanges:
        exchange.close()
    for guard in (first, second):
        guard.parts.sink.close()
    lines = (tmp_path / "audit.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum("fake-detector" in line for line in lines) == 2


def test_the_vault_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VAULT_VARIABLE, str(tmp_path / "vault.sqlite"))
    monkeypatch.setenv(VAULT_KEY_VARIABLE, "an-invented-key-of-the-vault-no-1")
    settings: dict[str, Any] = {"detector": DETECTOR, "audit": "off", "profiles": {}}
    first, second = (privguard.load_guard(**settings) for _ in range(2))
    exchange = privguard.minimize("I am Ada Roth", target="m", guard=first)
    reference = exchange.hold()
    assert second.reopen(reference).restore(exchange.outgoing) == "I am Ada Roth"
    later = privguard.minimize("who is that?", target="m", guard=second, earlier=[reference])
    assert later.restore(exchange.outgoing) == "I am Ada Roth"
    stranger = privguard.load_guard(**settings, tenant="another tenant")
    with pytest.raises(privguard.UnknownReferenceError):
        stranger.reopen(reference)
    owner = privguard.Owner(scope="another scope")
    later = privguard.minimize("who is that?", target="m", guard=second, earlier=[reference], owner=owner)
    assert later.restore(exchange.outgoing) == exchange.outgoing
    assert privguard.load_guard(**settings, vault="off").parts.vault is None
    for guard in (first, second, stranger):
        assert guard.parts.vault is not None
        guard.parts.vault.close()


def test_a_vault_without_a_key_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VAULT_KEY_VARIABLE, raising=False)
    settings: dict[str, Any] = {"detector": DETECTOR, "audit": "off", "profiles": {}}
    with pytest.raises(ConfigError, match=r"PRIVGUARD_VAULT_KEY .*token_urlsafe"):
        privguard.load_guard(**settings, vault=tmp_path / "vault.sqlite")
    monkeypatch.setenv(VAULT_KEY_VARIABLE, "short")
    with pytest.raises(ConfigError, match="at least 32 random ones"):
        privguard.load_guard(**settings, vault="memory:")
    with pytest.raises(ConfigError, match="names no vault"):
        privguard.load_guard(**settings, vault="vault.txt")


def test_guards_may_share_a_vault_and_are_tenants_of_it() -> None:
    vault = open_vault("memory:")
    settings: dict[str, Any] = {"detector": DETECTOR, "audit": "off", "profiles": {}, "vault": vault}
    ours, theirs = (privguard.load_guard(**settings, tenant=tenant) for tenant in ("acme", "other"))
    reference = privguard.minimize("I am Ada Roth", target="m", guard=ours).hold()
    assert ours.reopen(reference).closed is False
    with pytest.raises(privguard.UnknownReferenceError):
        theirs.reopen(reference)


def test_a_short_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "short")
    with pytest.raises(ConfigError, match="16"):
        privguard.load_guard(detector=DETECTOR, audit="off", profiles={})


def test_a_client_that_no_adapter_knows_is_refused_with_what_to_do(guard: privguard.Guard) -> None:
    with pytest.raises(ConfigError, match=r"no adapter protects .*object.*privguard\.minimize"):
        privguard.wrap(object(), guard)


@pytest.mark.parametrize(("given", "kind"), [(dict, "class"), (re, "module")])
def test_what_is_no_client_yet_is_refused_with_what_to_do(guard: privguard.Guard, given: object, kind: str) -> None:
    with pytest.raises(ConfigError, match=rf"not a {kind}: make one first, as in wrap\(OpenAI\(\)\)$"):
        privguard.wrap(given, guard)


def test_the_module_of_litellm_is_told_where_its_functions_are(guard: privguard.Guard) -> None:
    with pytest.raises(ConfigError, match=r"wrap\(OpenAI\(\)\)\. LiteLLM's functions, .*privguard_adapters\.litellm$"):
        privguard.wrap(ModuleType("litellm"), guard)


def test_a_guard_and_the_settings_of_one_are_not_mixed(guard: privguard.Guard) -> None:
    openai = pytest.importorskip("openai")
    with pytest.raises(ConfigError, match="not both"):
        privguard.wrap(openai.OpenAI(api_key="k"), guard, key=KEY)


def test_a_typo_in_the_profile_file_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    path = tmp_path / "privguard.toml"
    path.write_text("[defaults]\ngama = 0.9\n", encoding="utf-8")
    with pytest.raises(ConfigError, match='did you mean "gamma"'):
        privguard.load_guard(detector=DETECTOR, audit="off", profiles=path)


def test_the_process_shares_one_guard_for_calls_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[privguard.Guard] = []

    def load() -> privguard.Guard:
        made.append(privguard.Guard(guard_parts))
        return made[-1]

    guard_parts = privguard.load_guard(detector=DETECTOR, key=KEY, audit=MemorySink(), profiles={}).parts
    monkeypatch.setattr(api, "load_guard", load)
    api._process_guard.cache_clear()
    try:
        first = privguard.minimize("Ada Roth", target="m").outgoing
        assert privguard.minimize("Ada Roth", target="m").outgoing == first
        assert len(made) == 1
    finally:
        api._process_guard.cache_clear()


@pytest.mark.parametrize("target", [5, None, "", "  ", b"gpt-5"])
def test_a_target_that_names_no_model_is_told(guard: privguard.Guard, target: Any) -> None:  # noqa: ANN401 - on purpose
    with pytest.raises(ConfigError, match="target is the name of the model"):
        privguard.minimize("I am Ada Roth", target=target, guard=guard)


def test_a_profile_that_is_neither_a_name_nor_a_profile_is_told(guard: privguard.Guard) -> None:
    wrong: Any = 5
    with pytest.raises(ConfigError, match="profile is the name of a profile"):
        privguard.minimize("I am Ada Roth", target="gpt-5", profile=wrong, guard=guard)
    with pytest.raises(ConfigError, match="name of a profile"), privguard.use(wrong):
        pass


def test_telemetry_comes_from_a_setting_or_the_environment_and_is_off_by_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("opentelemetry")
    sink = ListSink()
    parts: dict[str, Any] = {"detector": FakeDetector({}), "need": FakeNeed(), "audit": sink}
    assert privguard.load_guard(**parts).parts.sink is sink
    for telemetry, variable in (("otel", ""), (None, "otel")):
        monkeypatch.setenv("PRIVGUARD_TELEMETRY", variable)
        guard = privguard.load_guard(**parts, telemetry=telemetry)
        assert guard.parts.sink is not sink
        privguard.minimize("a text", target="gpt-5-mini", guard=guard).close()
    assert len(sink.records) == 2
    with pytest.raises(ConfigError, match="telemetry is one of"):
        privguard.load_guard(**parts, telemetry="yes")


@pytest.mark.parametrize("option", ["profiles", "key", "audit", "model", "device", "vault", "tenant"])
def test_a_setting_of_another_type_is_told(option: str) -> None:
    settings: dict[str, Any] = {"audit": "off", "profiles": {}, "detector": None, option: 5}
    with pytest.raises(ConfigError, match=f"{option} (is|takes)"):
        privguard.load_guard(**settings)


def test_a_device_beside_parts_of_ones_own_has_no_effect_and_a_model_is_refused() -> None:
    need = FakeNeed(b_redact=0.0, b_abstract=0.0)
    own: dict[str, Any] = {"detector": DETECTOR, "need": need, "audit": "off", "profiles": {}}
    assert privguard.load_guard(**own, device="cpu", model="off").parts.need is need
    with pytest.raises(ConfigError, match="no model is left"):
        privguard.load_guard(**own, model="tiny")


class _Torn(Mapping[str, object]):
    """A message that fails with its content."""

    def __getitem__(self, name: str) -> object:
        raise ValueError("Ada Roth")

    def __iter__(self) -> NoReturn:
        raise ValueError("Ada Roth")

    def __len__(self) -> int:
        return 1


def test_what_a_foreign_message_says_when_it_fails_cannot_be_reached(guard: privguard.Guard, sink: ListSink) -> None:
    with pytest.raises(ProtectionError) as caught:
        privguard.minimize([_Torn()], target="gpt-5", guard=guard)
    assert "Roth" not in str(caught.value)
    assert caught.value.__context__ is None
    assert len(sink.records) == 1


@pytest.mark.parametrize(
    ("module", "told"),
    [
        ("google.genai.client", r"wrap\(OpenAI\(base_url='https://generativelanguage\.googleapis\.com/v1beta/openai/'"),
        ("httpx", r"privguard\.transport\(client, base_url="),
        ("httpx2", r"privguard\.transport\(client, base_url="),
        ("requests.sessions", r"privguard serve"),
        ("aiohttp.client", r"privguard serve"),
    ],
)
def test_clients_without_an_adapter_are_told_what_to_do_instead(guard: privguard.Guard, module: str, told: str) -> None:
    client = type("Client", (), {"__module__": module})()
    with pytest.raises(ConfigError, match=told):
        privguard.wrap(client, guard)
