"""The parts that one open model serves, and the settings that choose it."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from privguard.core.errors import ConfigError
from privguard.core.protocols import Detector, NeedModel
from privguard.encoder.loading import MAX_THREADS, check_device

if TYPE_CHECKING:
    from privguard.encoder.encoder import TokenEncoder

MODEL_VARIABLE = "PRIVGUARD_MODEL"
DEVICE_VARIABLE = "PRIVGUARD_DEVICE"
THREADS_VARIABLE = "PRIVGUARD_THREADS"
NO_MODEL = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelParts:
    """Detector and need model on one encoder: one pass for both. A network reads sentences, so it scans no names."""

    encoder: "TokenEncoder"
    detector: Detector
    scanner: Detector
    need: NeedModel


def open_model(
    model: str | Path | None = None, device: str | None = None, *, default: bool = True
) -> ModelParts | None:
    """Open a model. One serves all guards of the process.

    Args:
        model: the name of a shipped model, the folder of one, or "off". Default: `PRIVGUARD_MODEL`.
        device: auto, cpu or cuda. Default: `PRIVGUARD_DEVICE`, else auto. Without a model it has no effect.
        default: whether the shipped default is used where no model is named.

    Returns:
        None where no model is to be used.

    Raises:
        ConfigError: no such model or device, or an extra is missing.
        ArtifactError: the model is damaged.
    """
    where, threads = chosen_device(device), chosen_threads()
    chosen = _chosen_model(model) or (_default() if default else None)
    return None if chosen is None or chosen == NO_MODEL else _open(chosen, where, threads)


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


def _chosen_model(model: str | Path | None) -> str | Path | None:
    if model is None:
        return os.environ.get(MODEL_VARIABLE) or None
    if not isinstance(model, str | Path):
        raise ConfigError(f"model is a name or a folder, a str or a Path, not {type(model).__name__}")
    if not str(model).strip():
        raise ConfigError('model is empty; leave it out for the default, or name a model, a folder, or "off"')
    return model


@cache
def _open(model: str | Path, device: str, threads: int) -> ModelParts:
    from privguard.detect import encoder_detector, rules_detector
    from privguard.encoder.loading import load_encoder
    from privguard.encoder.thresholds import FLOOR
    from privguard.minimizer.encoded_need import EncoderNeedModel

    encoder = load_encoder(model, device=device, threads=threads)
    return ModelParts(
        encoder=encoder,
        detector=encoder_detector(encoder, FLOOR),
        scanner=rules_detector(),
        need=EncoderNeedModel(encoder),
    )


def _default() -> str | None:
    from privguard.encoder.loading import default_model

    return default_model()
