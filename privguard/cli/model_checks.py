"""The checks of `privguard doctor` that look at the model, and at what it runs on."""

from collections.abc import Callable, Iterator
from time import perf_counter

from privguard.cli.check import Check, Status
from privguard.cli.extras import installed_extras
from privguard.cli.settings import DetectorName, Wanted
from privguard.core.errors import ArtifactError, PrivguardError


def check_model(wanted: Wanted) -> Iterator[Check]:
    """Open the model that a guard would use, and say where it runs and how long loading took."""
    from privguard.model import open_model

    wrong = tuple(_wrong_settings(wanted))
    yield from wrong
    if wrong:
        return
    started = perf_counter()
    try:
        parts = open_model(wanted.model, wanted.device, default=wanted.detector is DetectorName.DEFAULT)
    except PrivguardError as error:
        remedy = _remedy(error, wanted)
        yield Check(name="model", status=Status.FAIL, detail=f"{type(error).__name__}: {error}", remedy=remedy)
        return
    if parts is None:
        yield Check(name="model", status=Status.OK, detail="none")
        yield Check(name="device", status=Status.OK, detail="none needed: rules and tables run on the processor")
        return
    took = 1000 * (perf_counter() - started)
    yield Check(name="model", status=Status.OK, detail=f"{parts.encoder.id}, loaded in {took:.0f} ms")
    yield Check(name="device", status=Status.OK, detail=parts.encoder.device.value)


def _wrong_settings(wanted: Wanted) -> Iterator[Check]:
    """Say which setting beside the model is wrong: the remedy is to correct that one."""
    from privguard.encoder.choosing import THREADS_VARIABLE, chosen_device, chosen_threads
    from privguard.encoder.loading import DEVICES

    settings: tuple[tuple[str, Callable[[], object], str], ...] = (
        ("device", lambda: chosen_device(wanted.device), _device_remedy(wanted, f"one of {', '.join(DEVICES)}")),
        ("threads", chosen_threads, f"set {THREADS_VARIABLE} to a small whole number, or unset it"),
    )
    for name, choose, remedy in settings:
        try:
            choose()
        except PrivguardError as error:
            yield Check(name=name, status=Status.FAIL, detail=str(error), remedy=remedy)


def _remedy(error: PrivguardError, wanted: Wanted) -> str:
    """Say what helps where a model does not open."""
    from privguard.encoder.choosing import MODEL_VARIABLE, chosen_device

    extras = installed_extras()
    runtime = any(extra in extras and all(extras[extra].values()) for extra in ("cpu", "gpu"))
    here = MODEL_VARIABLE if wanted.model is None else "--model"
    if not runtime:
        remedy = "pip install 'privguard[cpu]'"
    elif isinstance(error, ArtifactError):
        remedy = f"install privguard again, or name another model in {here}"
    elif chosen_device(wanted.device) == "cuda":
        remedy = _device_remedy(wanted, "auto or cpu")
    else:
        remedy = f"name a shipped model or the folder of one in {here}, or leave it out"
    if wanted.detector is DetectorName.RULES or all(extras.get("presidio", {"": ""}).values()):
        remedy += f"; off in {here} does without a model"
    return remedy


def _device_remedy(wanted: Wanted, choice: str) -> str:
    from privguard.encoder.choosing import DEVICE_VARIABLE

    if wanted.device is not None:
        return f"give --device {choice}, or leave it out"
    return f"set {DEVICE_VARIABLE} to {choice}, or unset it"
