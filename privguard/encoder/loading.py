"""Find a model and open it: the one door through which numpy and onnxruntime come in."""

import hashlib
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from privguard.core.errors import ConfigError

if TYPE_CHECKING:
    from privguard.encoder.artifact import Artifact
    from privguard.encoder.encoder import TokenEncoder

DEFAULT = "default.txt"  # in the folder of the models: the name of the one that is used when none is asked for
DIGESTS = "manifests.sha256"  # likewise: what `sha256sum */manifest.json` writes there
DEVICES = ("auto", "cpu", "cuda")
MAX_THREADS = 256  # more than any processor serves well
_ALIKE = {"gpu": "cuda", "nvidia": "cuda", "cuda:0": "cuda", "processor": "cpu"}
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
    if folder.is_file():
        raise ConfigError(f"a model is a folder, and {folder} is a file; name the folder that holds its manifest.json")
    if not folder.is_dir():
        raise ConfigError(f"the model folder {folder} does not exist")
    return folder


def check_device(device: object, where: str) -> str:
    """Return a device that there is.

    Args:
        device: what is named.
        where: the argument or the variable that names it.

    Raises:
        ConfigError: it is none.
    """
    if isinstance(device, str) and device in DEVICES:
        return device
    meant = _ALIKE.get(device.strip().casefold()) if isinstance(device, str) else None
    raise ConfigError(f"{where} is not one of {', '.join(DEVICES)}" + (f"; did you mean {meant}?" if meant else ""))


def shipped_digest(folder: Path) -> str | None:
    """Return the digest that the manifest of a shipped model must have, "" where none is known.

    None for a folder of somebody else's, whose manifest speaks for itself.
    """
    shipped = models_folder()
    if folder.resolve().parent != shipped.resolve():
        return None
    path = shipped / DIGESTS
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    known = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    return known.get(f"{folder.resolve().name}/manifest.json", "")


def renew_digests(folder: Path | None = None) -> None:
    """Note the manifests of the models in a folder, by default that of the shipped ones, as they are now.

    To be called whenever a shipped model is replaced; `privguard train export` does so where it exports one.
    """
    models = folder or models_folder()
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.parent.name}/{path.name}\n"
        for path in sorted(models.glob("*/manifest.json"))
    ]
    (models / DIGESTS).write_text("".join(lines), encoding="utf-8")


def open_artifact(model: str | Path, *, verified: bool = True) -> "Artifact":
    """Find a model and verify it; neither numpy nor onnxruntime is needed.

    Args:
        model: the name of a shipped model, or a folder.
        verified: see `load_artifact`.

    Raises:
        ConfigError: no such model.
        ArtifactError: the model is damaged, or another format's.
    """
    from privguard.encoder.artifact import load_artifact

    folder = find_model(model)
    return load_artifact(folder, shipped_digest(folder), verified=verified)


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
    check_device(device, "device")
    if type(threads) is not int or not 1 <= threads <= MAX_THREADS:
        raise ConfigError(f"threads is not a whole number from 1 to {MAX_THREADS}")
    artifact = open_artifact(model, verified=False)
    try:
        from privguard.encoder.encoder import open_encoder
        from privguard.encoder.session import Device, files_on
    except ImportError:
        raise ConfigError(_MISSING) from None
    encoder = open_encoder(artifact, device=Device(device), threads=threads)
    # What the encoder has read was verified as it was read. To verify it once more would take time, and tell nothing.
    artifact.verify(but=files_on(encoder.device))
    return encoder
