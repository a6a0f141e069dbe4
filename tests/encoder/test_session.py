from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest
from onnxruntime.capi.onnxruntime_pybind11_state import EPFail

from privguard.core.errors import ArtifactError, ConfigError, DetectionError
from privguard.encoder.artifact import Artifact, load_artifact
from privguard.encoder.session import Device, OnnxSession, open_session

WITHOUT_CUDA = "CUDAExecutionProvider" not in ort.get_available_providers()


def rows(*ids: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    given = np.array([ids], dtype=np.int64)
    return given[..., None], np.zeros_like(given), np.ones_like(given)


def test_the_answer_has_a_row_for_each_unit(artifact: Artifact) -> None:
    out = open_session(artifact, device=Device.CPU).run(*rows(2, 20, 3))
    assert out.tags.shape == (1, 3, 28)
    assert out.features.shape == (1, 3, 8)


def test_auto_takes_the_processor_where_the_artifact_has_no_other_graph(artifact: Artifact) -> None:
    assert open_session(artifact, device=Device.AUTO).device is Device.CPU


def test_a_demanded_device_that_is_not_there_is_refused(artifact: Artifact) -> None:
    with pytest.raises(ConfigError, match=r"no fp16\.onnx"):
        open_session(artifact, device=Device.CUDA)


@pytest.mark.skipif(not WITHOUT_CUDA, reason="this runtime has CUDA")
def test_cuda_is_not_replaced_in_silence(artifact: Artifact, exchanged: Callable[[str, bytes], Path]) -> None:
    both = load_artifact(exchanged("fp16.onnx", artifact.read("int8.onnx")))
    with pytest.raises(ConfigError, match=r"privguard\[gpu\]"):
        open_session(both, device=Device.CUDA)
    assert open_session(both, device=Device.AUTO).device is Device.CPU


def test_what_is_no_graph_is_refused(exchanged: Callable[[str, bytes], Path]) -> None:
    artifact = load_artifact(exchanged("int8.onnx", b"no graph"))
    with pytest.raises(ArtifactError, match="cannot be loaded"):
        open_session(artifact, device=Device.CPU)


def test_a_graph_of_another_width_is_refused(artifact: Artifact) -> None:
    with pytest.raises(ArtifactError, match="does not run"):
        OnnxSession(artifact.read("int8.onnx"), device=Device.CPU, features=9, pieces=1)


def test_a_failure_at_run_time_blocks_without_the_text_of_the_error(
    artifact: Artifact, capfd: pytest.CaptureFixture[str]
) -> None:
    session = open_session(artifact, device=Device.CPU)
    with pytest.raises(DetectionError, match="nothing was sent") as caught:
        session.run(*rows(2, 10**6, 3))
    assert str(10**6) not in str(caught.value)
    assert caught.value.__context__ is None
    assert str(10**6) not in "".join(capfd.readouterr())


def test_an_answer_that_is_not_finite_is_refused(artifact: Artifact) -> None:
    session = open_session(artifact, device=Device.CPU)
    ids, shapes, mask = rows(2, 20, 3)
    with pytest.raises(DetectionError, match="not finite"):
        session.run(ids, shapes, 0 * mask)


def test_nothing_is_written_to_standard_error(artifact: Artifact, capfd: pytest.CaptureFixture[str]) -> None:
    open_session(artifact, device=Device.AUTO).run(*rows(2, 20, 3))
    assert capfd.readouterr() == ("", "")


def test_a_provider_that_fails_is_not_replaced_by_another(
    artifact: Artifact, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(artifact, device=Device.CPU)
    real = session._session._sess

    class Failing:
        def run(self, *_: object) -> None:
            raise EPFail("of row 987654")

        def __getattr__(self, name: str) -> object:
            return getattr(real, name)

    monkeypatch.setattr(session._session, "_sess", Failing())
    with pytest.raises(DetectionError, match="EPFail; nothing was sent"):
        session.run(*rows(2, 20, 3))
    assert capfd.readouterr() == ("", "")
