"""The checks of `privguard doctor`: each looks at one thing, says what it found, and what to do about it."""

import os
import platform
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from privguard.cli.settings import KEY_VARIABLE, DetectorName, load_dry_guard
from privguard.core.errors import ArtifactError, ConfigError, PrivguardError
from privguard.guard import Guard

_REQUIREMENT = re.compile(r"""([A-Za-z0-9._-]+)[^;]*;.*\bextra\s*==\s*['"]([\w-]+)['"]""")
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


class Status(StrEnum):
    """How a check ended."""

    OK = "ok"
    NOTE = "note"  # works, but worth knowing
    ABSENT = "-"  # optional and not installed
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check; the detail holds no key and no credentials."""

    name: str
    status: Status
    detail: str
    remedy: str = ""


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
    detector: DetectorName = DetectorName.DEFAULT,
) -> Findings:
    """Run all checks, in the order in which they are shown; a failure does not stop the others."""
    extras = check_extras(installed_extras(), needed_extras(detector))
    checks = [_versions(), *extras, check_key(os.environ.get(KEY_VARIABLE))]
    checks += [check_proxies(os.environ), _profile_file(profiles), _audit_log(), check_vault(), *check_model(detector)]
    guard = _try_guard(profiles, detector)
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


def installed_extras() -> dict[str, dict[str, str]]:
    """Return the packages of each extra with their versions, "" where one is not installed."""
    extras: dict[str, dict[str, str]] = {}
    for requirement in metadata.requires("privguard") or ():
        match = _REQUIREMENT.match(requirement)
        if match and match[2] != "dev":
            extras.setdefault(match[2], {})[match[1]] = _version_of(match[1])
    return extras


def _version_of(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def needed_extras(detector: DetectorName) -> frozenset[str]:
    """Return the extras without which the guard that is asked for finds no names, beside those of the model."""
    from privguard.encoder.choosing import MODEL_VARIABLE, NO_MODEL
    from privguard.encoder.loading import default_model

    chosen = os.environ.get(MODEL_VARIABLE) or default_model() or NO_MODEL
    return frozenset({"presidio"}) if chosen == NO_MODEL and detector is DetectorName.DEFAULT else frozenset()


def check_extras(extras: dict[str, dict[str, str]], needed: Collection[str] = ()) -> Iterator[Check]:
    """Say of each extra what is installed; two runtimes that exclude each other are a failure.

    Args:
        extras: the packages of each extra with their versions, "" where one is not installed.
        needed: the extras that are worth a word where they are not complete. A package of another may have come with
            something else, and says nothing.
    """
    for extra, packages in extras.items():
        present = [f"{name} {version}" for name, version in packages.items() if version]
        missing = [name for name, version in packages.items() if not version]
        name, install = f"extra {extra}", f"pip install 'privguard[{extra}]'"
        if not missing:
            yield Check(name=name, status=Status.OK, detail=", ".join(present))
        elif extra in needed:
            detail = f"{', '.join(present) or 'not installed'}; missing: {', '.join(missing)}"
            yield Check(name=name, status=Status.NOTE, detail=detail, remedy=install)
        else:
            yield Check(name=name, status=Status.ABSENT, detail="not installed")
    cpu = extras.get("cpu", {}).get("onnxruntime", "")
    gpu = extras.get("gpu", {}).get("onnxruntime-gpu", "")
    if cpu and gpu:
        yield Check(
            name="runtime",
            status=Status.FAIL,
            detail=f"onnxruntime {cpu} and onnxruntime-gpu {gpu} share one import folder: neither can be relied on",
            remedy="pip uninstall onnxruntime onnxruntime-gpu, then install one of the extras cpu and gpu",
        )


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


def _try_guard(profiles: Path | None, detector: DetectorName) -> Guard | Check:
    try:
        # The proof keeps its own record: that of a canary has no place in the log.
        return load_dry_guard(profiles, None, detector)
    except PrivguardError as error:
        remedy = "see the failures above; without a guard no client is wrapped and nothing is sent"
        return Check(name="guard", status=Status.FAIL, detail=f"{type(error).__name__}: {error}", remedy=remedy)


def describe_parts(guard: Guard) -> Iterator[Check]:
    """Say which parts the guard is made of."""
    parts = guard.parts
    yield Check(name="detector", status=Status.OK, detail=parts.detector.id)
    yield Check(name="need model", status=Status.OK, detail=parts.need.id)
    yield Check(name="ladders", status=Status.OK, detail=parts.abstractor.id)


def check_model(detector: DetectorName = DetectorName.DEFAULT) -> Iterator[Check]:
    """Open the model that a guard would use, and say where it runs and how long loading took."""
    from privguard.model import open_model

    wrong = tuple(_wrong_settings())
    yield from wrong
    if wrong:
        return
    started = perf_counter()
    try:
        parts = open_model(default=detector is DetectorName.DEFAULT)
    except PrivguardError as error:
        remedy = _model_remedy(error, detector)
        yield Check(name="model", status=Status.FAIL, detail=f"{type(error).__name__}: {error}", remedy=remedy)
        return
    if parts is None:
        yield Check(name="model", status=Status.OK, detail="none")
        yield Check(name="device", status=Status.OK, detail="none needed: rules and tables run on the processor")
        return
    took = 1000 * (perf_counter() - started)
    yield Check(name="model", status=Status.OK, detail=f"{parts.encoder.id}, loaded in {took:.0f} ms")
    yield Check(name="device", status=Status.OK, detail=parts.encoder.device.value)


def _wrong_settings() -> Iterator[Check]:
    """Say which variable beside the model is wrong: the remedy is to correct that one."""
    from privguard.encoder.choosing import DEVICE_VARIABLE, THREADS_VARIABLE, chosen_device, chosen_threads
    from privguard.encoder.loading import DEVICES

    settings: tuple[tuple[str, Callable[[], object], str], ...] = (
        ("device", chosen_device, f"set {DEVICE_VARIABLE} to one of {', '.join(DEVICES)}, or unset it"),
        ("threads", chosen_threads, f"set {THREADS_VARIABLE} to a small whole number, or unset it"),
    )
    for name, choose, remedy in settings:
        try:
            choose()
        except PrivguardError as error:
            yield Check(name=name, status=Status.FAIL, detail=str(error), remedy=remedy)


def _model_remedy(error: PrivguardError, detector: DetectorName) -> str:
    """Say what helps where a model does not open."""
    from privguard.encoder.choosing import DEVICE_VARIABLE, MODEL_VARIABLE, chosen_device

    extras = installed_extras()
    runtime = any(extra in extras and all(extras[extra].values()) for extra in ("cpu", "gpu"))
    if not runtime:
        remedy = "pip install 'privguard[cpu]'"
    elif isinstance(error, ArtifactError):
        remedy = f"install privguard again, or name another model in {MODEL_VARIABLE}"
    elif chosen_device() == "cuda":
        remedy = f"set {DEVICE_VARIABLE} to auto or cpu, or unset it"
    else:
        remedy = f"name a shipped model or the folder of one in {MODEL_VARIABLE}, or unset it"
    if detector is DetectorName.RULES or all(extras.get("presidio", {"": ""}).values()):
        remedy += f"; {MODEL_VARIABLE}=off does without a model"
    return remedy


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
