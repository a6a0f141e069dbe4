import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from privguard.core.errors import ArtifactError, ConfigError
from privguard.encoder.loading import (
    DIGESTS,
    check_device,
    default_model,
    find_model,
    load_encoder,
    models_folder,
    renew_digests,
    shipped_digest,
    shipped_models,
)

MODEL = Path(__file__).parent / "model"


def test_a_folder_is_opened() -> None:
    assert load_encoder(MODEL, device="cpu").id.startswith("tables-1-")
    assert load_encoder(str(MODEL), threads=2).device == "cpu"


@pytest.mark.parametrize("name", ["tokenizer.json", "int8.onnx", "need.npz", "fp16.onnx"])
def test_a_file_that_is_altered_is_seen_whether_it_is_run_or_not(
    exchanged: Callable[[str, bytes], Path], name: str
) -> None:
    folder = exchanged("fp16.onnx", (MODEL / "int8.onnx").read_bytes())
    assert load_encoder(folder, device="cpu").id
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ArtifactError, match=f"{name} of the model tables is damaged or altered"):
        load_encoder(folder, device="cpu")


def test_a_bare_name_is_never_looked_for_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nothing").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="no model is called nothing"):
        find_model("nothing")
    assert find_model("./nothing") == Path("nothing")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist"):
        find_model(tmp_path / "nothing")


def test_a_file_is_no_folder() -> None:
    with pytest.raises(ConfigError, match=r"a model is a folder, and .*manifest\.json is a file"):
        find_model(MODEL / "manifest.json")


def test_every_shipped_manifest_is_the_one_that_the_digests_name() -> None:
    """Where this fails because a shipped model was replaced on purpose: docs/training.md says how to renew them."""
    for name in shipped_models():
        manifest = models_folder() / name / "manifest.json"
        assert shipped_digest(manifest.parent) == hashlib.sha256(manifest.read_bytes()).hexdigest()


def test_a_shipped_model_without_a_digest_has_one_that_nothing_fits() -> None:
    assert shipped_digest(models_folder() / "no-such-model") == ""
    assert shipped_digest(MODEL) is None


def test_digests_are_renewed_in_the_format_of_sha256sum(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text(name)
    renew_digests(tmp_path)
    lines = (tmp_path / DIGESTS).read_text().splitlines()
    assert lines == [f"{hashlib.sha256(name.encode()).hexdigest()}  {name}/manifest.json" for name in ("a", "b")]


@pytest.mark.parametrize("device", ["gpu", "GPU", "", "tpu", 5, None])
def test_a_wrong_device_is_told_with_its_origin(device: object) -> None:
    with pytest.raises(ConfigError, match=r"^HERE is not one of auto, cpu, cuda") as caught:
        check_device(device, "HERE")
    assert ("did you mean cuda" in str(caught.value)) is (str(device).lower() == "gpu")


@pytest.mark.parametrize("options", [{"device": "tpu"}, {"threads": 0}, {"threads": 10**12}, {"threads": "2"}])
def test_settings_that_make_no_sense_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        load_encoder(MODEL, **options)  # type: ignore[arg-type] # on purpose


def test_the_default_is_a_shipped_model() -> None:
    name = default_model()
    assert name is None or name in shipped_models()


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "numpy"])
def test_a_missing_extra_says_what_to_install(package: str) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from privguard.core.errors import ConfigError\n"
        "from privguard.encoder.loading import load_encoder\n"
        f"try: load_encoder({str(MODEL)!r})\n"
        "except ConfigError as error: print(error, error.__suppress_context__)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "pip install 'privguard[cpu]'" in done.stdout
    assert done.stdout.rstrip().endswith("True")


def test_the_door_itself_is_light() -> None:
    program = "import sys, privguard.encoder.loading; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert not {"numpy", "onnxruntime", "tokenizers"} & set(done.stdout.split())
