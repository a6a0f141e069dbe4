"""The extras of the package: what is installed of each, and what the guard that is asked for needs."""

import os
import re
from collections.abc import Collection, Iterator
from importlib import metadata

from privguard.cli.check import Check, Status
from privguard.cli.settings import DetectorName, Wanted

_REQUIREMENT = re.compile(r"""([A-Za-z0-9._-]+)[^;]*;.*\bextra\s*==\s*['"]([\w-]+)['"]""")


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


def needed_extras(wanted: Wanted) -> frozenset[str]:
    """Return the extras without which the guard that is asked for finds no names, beside those of the model."""
    from privguard.encoder.choosing import MODEL_VARIABLE, NO_MODEL
    from privguard.encoder.loading import default_model

    chosen = wanted.model or os.environ.get(MODEL_VARIABLE) or default_model() or NO_MODEL
    return frozenset({"presidio"}) if chosen == NO_MODEL and wanted.detector is DetectorName.DEFAULT else frozenset()


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
