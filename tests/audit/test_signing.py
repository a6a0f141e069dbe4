"""Keys of checkpoints: made for their owner alone, and refused where others can read them."""

import copy
import os
import pickle
import stat
import sys
from pathlib import Path

import pytest

from privguard.audit.signing import load_public_key, load_signer, write_key_pair
from privguard.core.errors import ConfigError

NEEDS_MODES = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")


def test_what_the_private_key_signs_the_public_key_accepts_and_nothing_else(tmp_path: Path) -> None:
    public, key_id = write_key_pair(tmp_path / "key")
    signer, checker = load_signer(tmp_path / "key"), load_public_key(public)
    assert public == tmp_path / "key.pub"
    assert signer.key_id == checker.key_id == key_id
    signature = signer.sign(b"message")
    assert len(signature) == 128
    assert checker.accepts(b"message", signature)
    assert not checker.accepts(b"massage", signature)
    assert not checker.accepts(b"message", signature[:-2] + ("00" if signature[-2:] != "00" else "01"))
    assert not checker.accepts(b"message", "no hexadecimal digits")
    other, other_id = write_key_pair(tmp_path / "other")
    assert other_id != key_id
    assert not load_public_key(other).accepts(b"message", signature)


@NEEDS_MODES
def test_the_private_key_is_its_owners_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        public, _ = write_key_pair(tmp_path / "key")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert stat.S_IMODE(public.stat().st_mode) == 0o644
    for mode in (0o640, 0o604, 0o620):
        (tmp_path / "key").chmod(mode)
        with pytest.raises(ConfigError, match="0600"):
            load_signer(tmp_path / "key")
    (tmp_path / "key").chmod(0o400)
    assert load_signer(tmp_path / "key").key_id


def test_no_key_is_written_over(tmp_path: Path) -> None:
    write_key_pair(tmp_path / "key")
    before = (tmp_path / "key").read_bytes()
    with pytest.raises(ConfigError, match="there already"):
        write_key_pair(tmp_path / "key")
    (tmp_path / "key.pub").unlink()
    with pytest.raises(ConfigError, match="cannot write"):
        write_key_pair(tmp_path / "key")
    assert (tmp_path / "key").read_bytes() == before


def test_what_is_no_key_is_a_clear_error_without_its_content(tmp_path: Path) -> None:
    public, _ = write_key_pair(tmp_path / "key")
    (tmp_path / "text").write_text("Ada Roth", encoding="utf-8")
    (tmp_path / "text").chmod(0o600)
    for path in (tmp_path / "text", public):
        path.chmod(0o600)
        with pytest.raises(ConfigError, match="holds no Ed25519 private key") as caught:
            load_signer(path)
        assert "Ada" not in str(caught.value)
    for path in (tmp_path / "text", tmp_path / "key"):
        with pytest.raises(ConfigError, match="holds no Ed25519 public key"):
            load_public_key(path)
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(ConfigError, match="cannot read"):
            load_public_key(path)


def test_keys_of_another_kind_and_with_a_password_are_refused(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        NoEncryption,
        PrivateFormat,
    )

    locked = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"an invented password")
    )
    curve = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for data in (locked, curve):
        (tmp_path / "key").write_bytes(data)
        (tmp_path / "key").chmod(0o600)
        with pytest.raises(ConfigError, match="without a password"):
            load_signer(tmp_path / "key")


def test_a_signer_is_neither_shown_nor_pickled(tmp_path: Path) -> None:
    write_key_pair(tmp_path / "key")
    signer = load_signer(tmp_path / "key")
    assert "PRIVATE" not in repr(signer)
    with pytest.raises(TypeError):
        pickle.dumps(signer)
    with pytest.raises(TypeError):
        copy.copy(signer)


def test_without_the_library_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives", None)
    with pytest.raises(ConfigError, match=r"privguard\[crypto\]"):
        write_key_pair(tmp_path / "key")


@NEEDS_MODES
def test_the_folder_of_a_key_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    public, _ = write_key_pair(tmp_path / "config" / "privguard" / "audit-key")
    assert public.is_file()
    assert stat.S_IMODE(public.parent.stat().st_mode) == 0o700
