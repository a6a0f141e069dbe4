"""The model, the device and the threads that are chosen: by an argument, or by the environment."""

import os
from pathlib import Path

from privguard.core.errors import ConfigError
from privguard.encoder.loading import MAX_THREADS, check_device

MODEL_VARIABLE = "PRIVGUARD_MODEL"
DEVICE_VARIABLE = "PRIVGUARD_DEVICE"
THREADS_VARIABLE = "PRIVGUARD_THREADS"
NO_MODEL = "off"


def chosen_device(device: str | None = None) -> str:
    """Return the device that is named, here or in the environment; a variable that is empty names none.

    Raises:
        ConfigError: there is no such device; the message says where it is named.
    """
    if device is not None:
        return check_device(device, "device")
    return check_device(os.environ.get(DEVICE_VARIABLE) or "auto", DEVICE_VARIABLE)


def chosen_threads() -> int:
    """Return the number of threads that the environment names.

    Raises:
        ConfigError: it is none that can be had.
    """
    given = os.environ.get(THREADS_VARIABLE) or "1"
    number = int(given) if given.isascii() and given.isdecimal() and len(given) <= len(str(MAX_THREADS)) else 0
    if not 1 <= number <= MAX_THREADS:
        raise ConfigError(f"{THREADS_VARIABLE} is not a whole number from 1 to {MAX_THREADS}, in digits from 0 to 9")
    return number


def chosen_model(model: str | Path | None = None) -> str | Path | None:
    """Return the model that is named, here or in the environment: a name, a folder or "off"; None where none is.

    Raises:
        ConfigError: what is named is neither a name nor a path.
    """
    if model is None:
        return os.environ.get(MODEL_VARIABLE) or None
    if not isinstance(model, str | Path):
        raise ConfigError(f"model is a name or a folder, a str or a Path, not {type(model).__name__}")
    if not str(model).strip():
        raise ConfigError('model is empty; leave it out for the default, or name a model, a folder, or "off"')
    return model
