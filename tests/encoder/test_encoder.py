import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from privguard.core.errors import DetectionError
from privguard.encoder.artifact import Artifact
from privguard.encoder.encoder import Encoded, TokenEncoder, open_encoder, softmax
from privguard.encoder.session import Device, Outputs, Session, open_session

IntArray = NDArray[np.int64]

WORDS = st.sampled_from(["Ada Roth", "in Bern", "the email", "555123", "xyz", "Émile", "名前", "\n", "\ud800", "(a-b)"])
TEXTS = st.lists(WORDS, max_size=60).map(" ".join)


class Counting:
    """Count the calls of a session, and show the largest."""

    device = Device.CPU

    def __init__(self, session: Session) -> None:
        self._session = session
        self.calls = 0
        self.units = 0

    def run(self, ids: IntArray, shapes: IntArray, mask: IntArray) -> Outputs:
        self.calls += 1
        self.units += mask.size
        return self._session.run(ids, shapes, mask)


@pytest.fixture
def counting(artifact: Artifact) -> Counting:
    return Counting(open_session(artifact, device=Device.CPU))


def same(left: Encoded, right: Encoded) -> bool:
    names = [field.name for field in fields(Encoded) if field.name != "mark"]
    return all(np.array_equal(getattr(left, name), getattr(right, name)) for name in names)


@settings(max_examples=30)
@given(st.lists(TEXTS, max_size=6))
def test_an_answer_depends_on_the_text_alone(artifact: Artifact, texts: list[str]) -> None:
    together = open_encoder(artifact, device=Device.CPU).encode(texts)
    alone = open_encoder(artifact, device=Device.CPU)
    for text, encoded in zip(texts, together, strict=True):
        assert same(encoded, alone.encode([text])[0])


@settings(max_examples=30)
@given(TEXTS)
def test_every_unit_is_answered_for(encoder: TokenEncoder, text: str) -> None:
    (encoded,) = encoder.encode([text])
    assert np.allclose(encoded.probabilities.sum(axis=1), 1, atol=0.01)
    assert ((encoded.begins >= 0) & (encoded.begins <= 1)).all()
    assert (encoded.features != 0).any(axis=1).all()
    assert (encoded.starts < encoded.ends).all()
    assert not len(encoded) or encoded.ends[-1] <= len(text)
    covered = {place for start, end in zip(encoded.starts, encoded.ends, strict=True) for place in range(start, end)}
    assert all(place in covered for place, letter in enumerate(text) if letter.isalnum())


def test_a_text_is_encoded_once(artifact: Artifact, counting: Counting) -> None:
    encoder = TokenEncoder(artifact, counting)
    first = encoder.encode(["Ada Roth", "Ada Roth", "in Bern"])
    assert counting.calls == 2
    assert encoder.encode(["in Bern", "Ada Roth"]) == (first[2], first[0])
    assert counting.calls == 2


def test_nothing_is_asked_for_an_empty_text(artifact: Artifact, counting: Counting) -> None:
    assert [len(encoded) for encoded in TokenEncoder(artifact, counting).encode(["", " \n"])] == [0, 0]
    assert counting.calls == 0


def test_a_long_text_is_read_to_its_end_in_linear_time(artifact: Artifact, counting: Counting) -> None:
    encoder = TokenEncoder(artifact, counting)
    text = "the email is in the name of " * 7200 + "\nAda Roth"
    assert len(text) > 200_000
    (encoded,) = encoder.encode([text])
    assert counting.units < 2 * len(encoded)
    assert encoded.probabilities[-1, 1] > 0.9
    assert encoded.ends[-1] == len(text)


def test_no_text_is_kept(artifact: Artifact) -> None:
    encoder = open_encoder(artifact, device=Device.CPU)
    canary = " ".join(["Ada Canary"] * 3)
    before = sys.getrefcount(canary)
    (encoded,) = encoder.encode([canary])
    assert not encoded.tokens.ids.any()
    assert "Canary" not in repr(encoded)
    gc.collect()
    assert sys.getrefcount(canary) == before


def test_memory_is_bounded(artifact: Artifact) -> None:
    encoder = TokenEncoder(artifact, open_session(artifact, device=Device.CPU), memory_bytes=100_000)
    for number in range(200):
        encoder.encode([f"Ada Roth {number} in Bern"])
    assert encoder.held_bytes <= 100_000


def test_a_failing_session_is_not_remembered(artifact: Artifact) -> None:
    class Flaky(Counting):
        def run(self, ids: IntArray, shapes: IntArray, mask: IntArray) -> Outputs:
            if self.calls == 0:
                self.calls += 1
                raise DetectionError("once")
            return super().run(ids, shapes, mask)

    encoder = TokenEncoder(artifact, Flaky(open_session(artifact, device=Device.CPU)))
    with pytest.raises(DetectionError, match="once"):
        encoder.encode(["Ada Roth"])
    assert len(encoder.encode(["Ada Roth"])[0]) == 2


def test_threads_get_their_own_answers(artifact: Artifact, encoder: TokenEncoder) -> None:
    requests = [[f"Ada {number % 7}", f"{number % 5} in Bern"] for number in range(60)]
    fresh = TokenEncoder(artifact, open_session(artifact, device=Device.CPU), memory_bytes=5000)
    with ThreadPoolExecutor(8) as pool:
        for request, found in zip(requests, pool.map(fresh.encode, requests), strict=True):
            assert all(same(left, right) for left, right in zip(found, encoder.encode(request), strict=True))


def test_on_cuda_rows_share_calls(artifact: Artifact, counting: Counting) -> None:
    counting.device = Device.CUDA
    encoder = TokenEncoder(artifact, counting)
    encoder.encode(["Ada Roth", "in Bern", "the email"])
    assert counting.calls == 1
    assert encoder.device is Device.CUDA


def test_softmax_is_one_even_where_logits_are_large() -> None:
    found = softmax(np.array([[1e4, 0.0], [0.0, 0.0]], dtype=np.float32))
    assert found.tolist() == [[1.0, 0.0], [0.5, 0.5]]
