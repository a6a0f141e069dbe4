"""The composition root: the settings of a guard, and the one place that knows which parts they name."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path

from privguard.audit.settings import observed, sink_of_settings
from privguard.core.errors import ConfigError
from privguard.core.holding import Owner
from privguard.core.protocols import Abstractor, AuditSink, Detector, NeedModel, ProfileBook, Vault
from privguard.encoder.choosing import NO_MODEL
from privguard.guard import Guard, Parts
from privguard.model import open_model
from privguard.replacements.key import Key
from privguard.vault.opening import NO_VAULT, VAULT_KEY_VARIABLE, VAULT_VARIABLE, open_vault

KEY_VARIABLE = "PRIVGUARD_KEY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What `load_guard` and `wrap` are told, and says there; None, and no tenant, for the default of each."""

    profiles: ProfileBook | Mapping[str, object] | str | Path | None = field(default=None, repr=False)
    detector: Detector | None = None
    need: NeedModel | None = None
    abstractor: Abstractor | None = None
    key: Key | bytes | str | None = field(default=None, repr=False)
    audit: AuditSink | str | Path | None = field(default=None, repr=False)
    audit_mode: str | None = None
    model: str | Path | None = None
    device: str | None = None
    vault: Vault | str | Path | None = field(default=None, repr=False)
    tenant: str = field(default="", repr=False)
    telemetry: str | None = None

    @property
    def are_given(self) -> bool:
        """Tell whether any of them is not its default."""
        return bool(self.tenant) or any(
            getattr(self, each.name) is not None for each in fields(self) if each.name != "tenant"
        )

    def guard_or(self, guard: Guard | None, caller: str) -> Guard:
        """Return the guard that is given, or build one of these settings.

        Args:
            guard: to be shared, None for one of these settings.
            caller: what takes either, as it is called.

        Raises:
            ConfigError: both are given, a setting is wrong, or an extra is missing.
        """
        if guard is None:
            return build_guard(self)
        if self.are_given:
            raise ConfigError(f"{caller} takes a guard or the settings of one, not both")
        return guard

    def sink(self) -> AuditSink:
        """Open what keeps the audit records.

        Raises:
            AuditError: the log cannot be opened.
            ConfigError: a setting is wrong, or an extra is missing.
        """
        return observed(sink_of_settings(self.audit, self.audit_mode, os.environ), self.telemetry, os.environ)


def build_guard(settings: Settings) -> Guard:
    """Build a guard; `load_guard` says what each setting means.

    Raises:
        ConfigError: a setting is wrong, or an extra is missing.
        ArtifactError: the model is damaged.
        AuditError: the audit log cannot be opened.
        VaultError: the vault cannot be opened.
    """
    from privguard.replacements.ladders import Ladders

    found = _finders(settings)
    return Guard(
        Parts(
            detector=found.detector,
            scanner=found.scanner,
            need=found.need,
            abstractor=settings.abstractor or Ladders(months=True),
            profiles=_profiles(settings.profiles),
            sink=settings.sink(),
            key=_key(settings.key),
            vault=_vault(settings.vault),
            owner=_owner(settings.tenant),
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finders:
    detector: Detector
    scanner: Detector | None
    need: NeedModel


def _finders(settings: Settings) -> _Finders:
    detector, need = settings.detector, settings.need
    if detector is not None and need is not None:
        if settings.model is not None and settings.model != NO_MODEL:
            raise ConfigError("a detector and a need model are given: no model is left to be used; leave out model")
        return _Finders(detector=detector, scanner=None, need=need)
    # Rules alone need no extra: the shipped model is not forced on who brings a detector.
    parts = open_model(settings.model, settings.device, default=detector is None)
    scanner = None
    if detector is None:
        detector, scanner = (parts.detector, parts.scanner) if parts else (_default_detector(), None)
    return _Finders(detector=detector, scanner=scanner, need=need or (parts.need if parts else _table()))


def _table() -> NeedModel:
    from privguard.minimizer.need_table import TableNeedModel

    return TableNeedModel()


@cache
def _default_detector() -> Detector:
    # Detectors hold no request and load slowly: one serves all guards of the process.
    from privguard.detect import default_detector

    return default_detector()


def _profiles(given: ProfileBook | Mapping[str, object] | str | Path | None) -> ProfileBook:
    from privguard.minimizer.profile_file import find_profile_file
    from privguard.minimizer.profiles import Profiles, load_profiles

    if given is None:
        return load_profiles(find_profile_file(os.environ, Path.cwd()))
    if isinstance(given, str | Path):
        return load_profiles(Path(given))
    if isinstance(given, Mapping):
        return Profiles.from_mapping(given)
    if not callable(getattr(given, "resolve", None)):
        raise ConfigError("profiles is a file, a mapping like its content, or an object with resolve(target, profile)")
    return given


def _vault(given: Vault | str | Path | None) -> Vault | None:
    if given is None:
        given = os.environ.get(VAULT_VARIABLE) or NO_VAULT
    if given == NO_VAULT:
        return None
    if isinstance(given, str | Path):
        return open_vault(given, os.environ.get(VAULT_KEY_VARIABLE))
    if not all(callable(getattr(given, name, None)) for name in ("put", "get", "delete")):
        raise ConfigError('vault is a file, a URL of Redis, "memory:", "off", or a vault with put, get and delete')
    return given


def _owner(tenant: str) -> Owner:
    if not isinstance(tenant, str):
        raise ConfigError(f"tenant is a text that tells one customer from another, not {type(tenant).__name__}")
    return Owner(tenant=tenant)


def _key(given: Key | bytes | str | None) -> Key:
    if given is None:
        given = os.environ.get(KEY_VARIABLE) or Key.random()
    if isinstance(given, str):
        return Key.from_text(given)
    if isinstance(given, bytes):
        return Key(given)
    if not isinstance(given, Key):
        raise ConfigError("key is a text, bytes, or a Key")
    return given
