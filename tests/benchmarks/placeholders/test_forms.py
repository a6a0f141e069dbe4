"""The forms that are compared: each is found where it was written, and a foreign one is an invention."""

import random

import pytest

from benchmarks.placeholders.forms import EXAMPLE, FORMS, PlaceholderForm, survival
from benchmarks.placeholders.prompts import PROMPTS, tasks


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_what_was_written_is_found_exactly_mangled_or_not_at_all(form: PlaceholderForm) -> None:
    first, second, third = form.draw_ids(3, random.Random(1))  # noqa: S311 - nothing secret
    sent = (("PERSON", first), ("RECORD_ID", second), ("DATE", third))
    reply = f"Dear {form.write('PERSON', first)}, about record_id_{second.lower()}: no. {form.write('PERSON', '9')}"
    found = survival(form, sent, reply)
    assert (found.asked, found.exact, found.mangled) == (3, 1, 1)
    assert form.pattern.findall(form.write("RECORD_ID", second))[0][1] == second


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_placeholder_that_nobody_sent_is_an_invention(form: PlaceholderForm) -> None:
    sent, foreign = form.draw_ids(2, random.Random(2))  # noqa: S311 - nothing secret
    found = survival(form, [("PERSON", sent)], form.write("PERSON", sent) + form.write("PERSON", foreign))
    assert (found.exact, found.invented) == (1, 1)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("note", [False, True])
def test_every_prompt_holds_what_is_asked_for(form: PlaceholderForm, note: bool) -> None:
    found = list(tasks(form, note=note, draws=2, seed=7))
    assert len(found) == 2 * len(PROMPTS)
    for task in found:
        text = task.messages[-1]["content"]
        assert survival(form, task.sent, text).exact == len(task.sent) > 1
        assert (form.write(*EXAMPLE) in task.messages[0]["content"]) == note
