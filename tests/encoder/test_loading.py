import subprocess
import sys
from pathlib import Path

import pytest

from privguard.core.errors import ConfigError
from privguard.encoder.loading import default_model, find_model, load_encoder, shipped_models

MODEL = Path(__file__).parent / "model"


def test_a_folder_is_opened() -> None:
    assert load_encoder(MODEL, device="cpu").id.startswith("tables-1-")
    assert load_encoder(str(MODEL), threads=2).device == "cpu"


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


@pytest.mark.parametrize("options", [{"device": "tpu"}, {"threads": 0}])
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
