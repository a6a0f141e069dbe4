"""The checks of `privguard doctor`: each looks at one thing, says what it found, and what to do about it."""

import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from privguard.cli.check import Check, Status
from privguard.cli.extras import check_extras, installed_extras, needed_extras
from privguard.cli.model_checks import check_model
from privguard.cli.settings import KEY_VARIABLE, Wanted, load_dry_guard
from privguard.core.errors import ConfigError, PrivguardError
from privguard.guard import Guard

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What was checked, and the guard that could be built."""

    checks: tuple[Check, ...]
    guard: Guard | None


def check_setup(
    *,
    target: str | None,
    profile: str | None,
    profiles: Path | None,
    wanted: Wanted | None = None,
) -> Findings:
    """Run all checks, in the order in which they are shown; a failure does not stop the others."""
    wanted = wanted or Wanted()
    extras = check_extras(installed_extras(), needed_extras(wanted))
    checks = [_versions(), *extras, check_key(os.environ.get(KEY_VARIABLE))]
    checks += [check_proxies(os.environ), _profile_file(profiles), _audit_log(), check_vault(), *check_model(wanted)]
    guard = _try_guard(profiles, wanted)
    if isinstance(guard, Check):
        return Findings(checks=(*checks, guard), guard=None)
    checks += describe_parts(guard)
    if target is not None:
        checks.append(check_target(guard, target, profile))
    return Findings(checks=tuple(checks), guard=guard)


def _versions() -> Check:
    from privguard import __version__

    detail = f"privguard {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    return Check(name="version", status=Status.OK, detail=detail)


def check_key(key: str | None) -> Check:
    """Say where the key comes from and whether it will do; the key itself is never shown."""
    from privguard.replacements.key import Key

    if not key:
        detail = "random, one per guard: placeholders differ from process to process"
        remedy = f"set {KEY_VARIABLE} where they must stay the same"
        return Check(name="key", status=Status.NOTE, detail=detail, remedy=remedy)
    try:
        Key.from_text(key)
    except PrivguardError as error:
        remedy = f"set {KEY_VARIABLE} to a longer random text"
        return Check(name="key", status=Status.FAIL, detail=str(error), remedy=remedy)
    return Check(name="key", status=Status.OK, detail=f"from {KEY_VARIABLE}")


def check_proxies(environ: Mapping[str, str]) -> Check:
    """Say which proxies HTTP clients will use: they see what leaves, which is minimized. Credentials are not shown."""
    names = [spelled for name in _PROXIES for spelled in (name, name.lower()) if environ.get(spelled)]
    found = [f"{name}={urlsplit(environ[name]).hostname or 'not a URL'}" for name in names]
    if not found:
        return Check(name="proxies", status=Status.OK, detail="none in the environment")
    return Check(name="proxies", status=Status.NOTE, detail=", ".join(found) + " (kept by wrapped clients)")


def _profile_file(profiles: Path | None) -> Check:
    from privguard.minimizer.profile_file import find_profile_file
    from privguard.minimizer.profiles import load_profiles

    try:
        path = profiles or find_profile_file(os.environ, Path.cwd())
        book = load_profiles(path)
    except PrivguardError as error:
        remedy = "correct the file, or name another with --profiles or PRIVGUARD_PROFILES"
        return Check(name="profiles", status=Status.FAIL, detail=str(error), remedy=remedy)
    source = f"{path}, valid" if path else "the shipped ones; no profile file was found"
    return Check(name="profiles", status=Status.OK, detail=f"{source}: {', '.join(book.names)}")


def _audit_log() -> Check:
    from privguard.audit.settings import AUDIT_VARIABLE, sink_of_settings
    from privguard.audit.sinks import audit_name, default_audit_path

    place = os.environ.get(AUDIT_VARIABLE) or str(default_audit_path())
    if place == "off":
        remedy = f"unset {AUDIT_VARIABLE} to keep records"
        return Check(name="audit log", status=Status.NOTE, detail="switched off", remedy=remedy)
    try:
        sink_of_settings(None, None, os.environ).close()
    except PrivguardError as error:
        remedy = f"make it writable, or name another file in {AUDIT_VARIABLE}"
        if isinstance(error, ConfigError):
            remedy = "correct the variable of the environment: all of them begin with PRIVGUARD_AUDIT"
        return Check(name="audit log", status=Status.FAIL, detail=str(error), remedy=remedy)
    return Check(name="audit log", status=Status.OK, detail=f"{audit_name(place)}, writable")


def check_vault() -> Check:
    """See whether the vault that the environment names can be opened."""
    from privguard.vault.opening import NO_VAULT, VAULT_KEY_VARIABLE, VAULT_VARIABLE, open_vault

    place = os.environ.get(VAULT_VARIABLE) or NO_VAULT
    if place == NO_VAULT:
        detail = f"none; {VAULT_VARIABLE} names one where replies come later than their requests"
        return Check(name="vault", status=Status.ABSENT, detail=detail)
    try:
        open_vault(place, os.environ.get(VAULT_KEY_VARIABLE)).close()
    except PrivguardError as error:
        remedy = f"correct {VAULT_VARIABLE} or {VAULT_KEY_VARIABLE}, or unset both"
        return Check(name="vault", status=Status.FAIL, detail=str(error), remedy=remedy)
    # The URL of a server may hold its password.
    shown = "Redis, reached" if "://" in place and not place.startswith("sqlite:") else f"{place}, writable"
    return Check(name="vault", status=Status.OK, detail=shown)


def _try_guard(profiles: Path | None, wanted: Wanted) -> Guard | Check:
    try:
        # The proof keeps its own record: that of a canary has no place in the log.
        return load_dry_guard(profiles, None, wanted.detector, model=wanted.model, device=wanted.device)
    except PrivguardError as error:
        remedy = "see the failures above; without a guard no client is wrapped and nothing is sent"
        return Check(name="guard", status=Status.FAIL, detail=f"{type(error).__name__}: {error}", remedy=remedy)


def describe_parts(guard: Guard) -> Iterator[Check]:
    """Say which parts the guard is made of."""
    parts = guard.parts
    yield Check(name="detector", status=Status.OK, detail=parts.detector.id)
    yield Check(name="need model", status=Status.OK, detail=parts.need.id)
    yield Check(name="ladders", status=Status.OK, detail=parts.abstractor.id)


def check_target(guard: Guard, target: str, profile: str | None) -> Check:
    """Say what is known of a target model."""
    try:
        settings, model = guard.parts.profiles.resolve(target, profile)
    except PrivguardError as error:
        return Check(name="target", status=Status.FAIL, detail=str(error), remedy="name a profile that exists")
    detail = (
        f"{model.name}: theta (capability, in logits) {model.theta:+.2f}, {model.provenance.value}, "
        f"pattern {model.pattern}, profile {settings.id}, gamma {settings.gamma:g}"
    )
    if model.known:
        return Check(name="target", status=Status.OK, detail=detail)
    remedy = "unknown model: its capability is assumed. Set theta for it in the profile file"
    return Check(name="target", status=Status.NOTE, detail=detail, remedy=remedy)
