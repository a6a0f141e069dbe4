"""Find a model and open it: the one door through which numpy and onnxruntime come in."""

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from privguard.core.errors import ConfigError

if TYPE_CHECKING:
    from privguard.encoder.encoder import TokenEncoder

DEFAULT = "default.txt"  # in the folder of the models: the name of the one that is used when none is asked for
DEVICES = ("auto", "cpu", "cuda")
_MISSING = (
    "the model needs an extra: pip install 'privguard[cpu]', or 'privguard[gpu]' where there is CUDA; "
    "the two exclude each other"
)


def models_folder() -> Path:
    """Return where the shipped models are."""
    return Path(str(resources.files("privguard.encoder").joinpath("models")))


def shipped_models() -> tuple[str, ...]:
    """Return the names of the shipped models, sorted."""
    folder = models_folder()
    return tuple(sorted(path.parent.name for path in folder.glob("*/manifest.json")))


def default_model() -> str | None:
    """Return the name of the model that is used when none is asked for, None where none is shipped."""
    path = models_folder() / DEFAULT
    return path.read_text(encoding="utf-8").strip() if path.is_file() else None


def find_model(model: str | Path) -> Path:
    """Return the folder of a shipped model by its name, or the folder that is given.

    Raises:
        ConfigError: no shipped model has the name, and there is no such folder.
    """
    if isinstance(model, str) and model in shipped_models():
        return models_folder() / model
    folder = Path(model)
    if isinstance(model, str) and folder.name == model:
        # A bare name is never looked for in the working directory: what lies there is nobody's choice.
        shipped = ", ".join(shipped_models()) or "none"
        raise ConfigError(f"no model is called {model}; shipped: {shipped}. A folder is given as a path: ./{model}")
    if not folder.is_dir():
        raise ConfigError(f"the model folder {folder} does not exist")
    return folder


def load_encoder(model: str | Path, *, device: str = "auto", threads: int = 1) -> "TokenEncoder":
    """Verify a model and open it.

    Args:
        model: the name of a shipped model, or a folder.
        device: auto (CUDA where it works, else the CPU), cpu or cuda.
        threads: of one call on the CPU.

    Raises:
        ConfigError: an extra is missing, no such model, or the device is not there.
        ArtifactError: the model is damaged, or another format's.
    """
    if device not in DEVICES:
        raise ConfigError(f"the device is one of {', '.join(DEVICES)}")
    if threads < 1:
        raise ConfigError("the number of threads is at least 1")
    folder = find_model(model)
    try:
        from privguard.encoder.artifact import load_artifact
        from privguard.encoder.encoder import open_encoder
        from privguard.encoder.session import Device
    except ImportError:
        raise ConfigError(_MISSING) from None
    return open_encoder(load_artifact(folder), device=Device(device), threads=threads)
