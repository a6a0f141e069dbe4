import re

import pytest

from benchmarks.placeholders.pronouns import PROMPTS, Answer, Arm, answer_of, measure, tasks
from privguard.core.placeholders import Pronoun
from privguard.detect.pronoun_cues import read_cues


def test_the_arms_differ_in_the_person_alone() -> None:
    title, plain, hinted = (list(tasks(arm, draws=2, seed=7)) for arm in Arm)
    assert len(title) == len(plain) == len(hinted) == 4 * len(PROMPTS)
    for one, other in zip(plain, hinted, strict=True):
        assert other.pronoun is one.pronoun
        assert re.sub(r"(?<=\w{4}): (?:she|he)\]", "]", other.text) == one.text
        assert other.text.count(f": {other.pronoun}]") == 1


def test_no_prompt_tells_a_pronoun_otherwise() -> None:
    words = {word for prompt in PROMPTS for word in re.findall(r"\w+", prompt.lower())}
    assert words.isdisjoint(read_cues()["en"].pronouns)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("She is ill. Her desk is free.", Answer.RIGHT),
        ("He is ill.", Answer.WRONG),
        ("She told him.", Answer.BOTH),
        ("They are ill; the other one heard.", Answer.NONE),
        ("[PERSON_7QK2: she] is ill.", Answer.NONE),
        ("[PERSON_7QK2: she] is ill, he says.", Answer.WRONG),
    ],
)
def test_a_reply_is_judged_by_its_own_pronouns(reply: str, answer: Answer) -> None:
    assert answer_of(reply, Pronoun.SHE) is answer


def test_shares_are_of_all_replies_and_of_those_with_one_pronoun() -> None:
    shares = measure(lambda _: "He is ill.", Arm.HINT, draws=1, seed=7)
    assert shares["he"]["right"].hits == shares["he"]["right"].n == len(PROMPTS)
    assert shares["she"]["wrong"].hits == len(PROMPTS)
    assert shares["all"]["right of right and wrong"].value == 0.5
