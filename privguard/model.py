"""The parts that one open model serves, and the settings that choose it."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from privguard.core.errors import ConfigError
from privguard.core.protocols import Detector, NeedModel

if TYPE_CHECKING:
    from privguard.encoder.encoder import TokenEncoder

MODEL_VARIABLE = "PRIVGUARD_MODEL"
DEVICE_VARIABLE = "PRIVGUARD_DEVICE"
THREADS_VARIABLE = "PRIVGUARD_THREADS"
NO_MODEL = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelParts:
    """Detector and need model on one encoder: one pass for both."""

    encoder: "TokenEncoder"
    detector: Detector
    need: NeedModel


def open_model(
    model: str | Path | None = None, device: str | None = None, *, default: bool = True
) -> ModelParts | None:
    """Open a model. One serves all guards of the process.

    Args:
        model: the name of a shipped model, the folder of one, or "off". Default: `PRIVGUARD_MODEL`.
        device: auto, cpu or cuda. Default: `PRIVGUARD_DEVICE`, else auto.
        default: whether the shipped default is used where no model is named.

    Returns:
        None where no model is to be used.

    Raises:
        ConfigError: no such model or device, or an extra is missing.
        ArtifactError: the model is damaged.
    """
    chosen = model or os.environ.get(MODEL_VARIABLE) or (_default() if default else None)
    if chosen is None or chosen == NO_MODEL:
        if device is not None:
            raise ConfigError("a device is named, but no model that would run on it")
        return None
    return _open(chosen, device or os.environ.get(DEVICE_VARIABLE) or "auto", _threads())


@cache
def _open(model: str | Path, device: str, threads: int) -> ModelParts:
    from privguard.detect import encoder_detector
    from privguard.encoder.loading import load_encoder
    from privguard.encoder.thresholds import FLOOR
    from privguard.minimizer.encoded_need import EncoderNeedModel

    encoder = load_encoder(model, device=device, threads=threads)
    return ModelParts(encoder=encoder, detector=encoder_detector(encoder, FLOOR), need=EncoderNeedModel(encoder))


def _default() -> str | None:
    from privguard.encoder.loading import default_model

    return default_model()


def _threads() -> int:
    given = os.environ.get(THREADS_VARIABLE) or "1"
    if not given.isdecimal() or int(given) < 1:
        raise ConfigError(f"{THREADS_VARIABLE} is a whole number from 1")
    return int(given)
