import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.errors import ConfigError
from privguard.replacements.key import Key

SECRET = "correct horse battery staple"


def test_a_key_is_never_shown_and_never_pickled() -> None:
    key = Key.from_text(SECRET)
    assert SECRET not in repr(key)
    assert "key" in repr(key).lower()
    with pytest.raises(TypeError, match="never pickled"):
        pickle.dumps(key)


@pytest.mark.parametrize("secret", ["", "short", "fifteen letters"])
def test_a_short_key_is_refused_without_being_shown(secret: str) -> None:
    with pytest.raises(ConfigError, match="at least 16") as text_refused:
        Key.from_text(secret)
    with pytest.raises(ConfigError, match="at least 16") as bytes_refused:
        Key(secret.encode())
    assert not secret or secret not in f"{text_refused.value} {bytes_refused.value}"


def test_the_same_text_gives_the_same_key_and_random_keys_differ() -> None:
    assert Key.from_text(SECRET).mac("p", "x") == Key.from_text(SECRET).mac("p", "x")
    assert Key.random().mac("p", "x") != Key.random().mac("p", "x")


@given(st.lists(st.text(max_size=5), max_size=4), st.lists(st.text(max_size=5), max_size=4))
def test_parts_never_run_into_each_other(left: list[str], right: list[str]) -> None:
    key = Key.from_text(SECRET)
    assert (key.mac("p", *left) == key.mac("p", *right)) is (left == right)
