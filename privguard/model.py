"""The parts that one open model serves, and the settings that choose it."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from privguard.core.protocols import Detector, NeedModel
from privguard.encoder.choosing import NO_MODEL, chosen_device, chosen_model, chosen_threads

if TYPE_CHECKING:
    from privguard.encoder.encoder import TokenEncoder


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
    chosen = chosen_model(model) or (_default() if default else None)
    return None if chosen is None or chosen == NO_MODEL else _open(_placed(chosen), where, threads)


def _placed(model: str | Path) -> str | Path:
    """Return a folder by its whole path, since the working directory may change, and a name as it is."""
    return model if isinstance(model, str) and Path(model).name == model else Path(model).absolute()


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
