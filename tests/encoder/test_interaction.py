import numpy as np
import pytest

from privguard.encoder.encoder import TokenEncoder
from privguard.encoder.instruction import HEAD, TAIL
from privguard.encoder.interaction import Asked, pool, read_instruction, score_spans

TEXT = "Ada Roth in Bern"


def test_a_span_is_the_mean_of_its_units(encoder: TokenEncoder) -> None:
    (text,) = encoder.encode([TEXT])
    starts, ends = np.array([0, 12, 5]), np.array([8, 16, 6])
    expected = [text.features[:2].astype("f4").mean(0), text.features[3].astype("f4"), text.features[1].astype("f4")]
    assert np.allclose(pool(text, starts, ends), expected)


@pytest.mark.parametrize("place", [(3, 4), (16, 18), (40, 50)], ids=["between units", "at the end", "beyond it"])
def test_a_span_without_a_unit_takes_its_neighbour(encoder: TokenEncoder, place: tuple[int, int]) -> None:
    (text,) = encoder.encode([TEXT])
    found = pool(text, np.array([place[0]]), np.array([place[1]]))
    assert (found[0] == text.features.astype("f4")).all(axis=1).any()


def test_a_text_without_units_has_no_features(encoder: TokenEncoder) -> None:
    (text,) = encoder.encode([" "])
    assert not pool(text, np.array([0]), np.array([1])).any()


def test_spans_of_several_texts_are_scored_as_if_one_by_one(encoder: TokenEncoder) -> None:
    first, second, empty = encoder.encode([TEXT, "what is in Graz", ""])
    instruction = read_instruction(encoder.need_head, [second])
    asked = [
        Asked(text=first, places=np.array([(0, 8, 1), (12, 16, 12)]), own=False),
        Asked(text=empty, places=np.zeros((0, 3), np.int64), own=False),
        Asked(text=first, places=np.array([(3, 4, 1), (16, 18, 1), (40, 50, 1)]), own=False),
        Asked(text=second, places=np.array([(11, 15, 12)]), own=True),
    ]
    together = score_spans(encoder.need_head, asked, instruction)
    assert [row.shape for row in together] == [(2, 3), (0, 3), (3, 3), (1, 3)]
    for row, scores in zip(asked, together, strict=True):
        (alone,) = score_spans(encoder.need_head, [row], instruction)
        assert np.allclose(alone, scores, atol=2e-4)


def test_an_instruction_in_two_texts_is_read_as_one(encoder: TokenEncoder) -> None:
    texts = encoder.encode(["the email " * HEAD, "translate the email " * TAIL])
    instruction = read_instruction(encoder.need_head, texts)
    assert instruction is not None
    both = np.concatenate([texts[0].features[:HEAD], texts[1].features[-TAIL:]])
    assert np.array_equal(instruction.keys, encoder.need_head.prepare(both).keys)


def test_nothing_said_is_no_instruction(encoder: TokenEncoder) -> None:
    assert read_instruction(encoder.need_head, encoder.encode([" ", ""])) is None
    assert read_instruction(encoder.need_head, []) is None
