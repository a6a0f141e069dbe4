"""Prompts whose good answer holds every placeholder of theirs; `{PERSON2}` stands for the second person."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.placeholders.forms import EXAMPLE, PlaceholderForm
from privguard.core.note import TEMPLATE

_SLOT = re.compile(r"\{([A-Z_]+?)([0-9]?)\}")

PROMPTS = (
    "Correct the spelling and repeat the text: {PERSON} lives at {ADDRESS} and wil move too {LOCATION} in {DATE}.",
    "Correct the spelling and repeat the text: Plese tell {PERSON} that the meating with {PERSON2} is on {DATE}.",
    "Correct the spelling and repeat the text: {PERSON} payed {FINANCE} to {ORGANIZATION} yesteday.",
    "Write a short reminder to {PERSON} that the rent for {ADDRESS} is due on {DATE}.",
    "Write a short email to {EMAIL} that says that {PERSON} is ill until {DATE}.",
    "Write a short thank-you note from {PERSON} to {PERSON2} for the visit to {LOCATION}.",
    "Write a letter of two sentences from {PERSON} to {ORGANIZATION} that cancels contract {RECORD_ID} on {DATE}.",
    "Make one friendly sentence of these notes: customer {PERSON}, order {RECORD_ID}, delivered {DATE}.",
    "Make one sentence of these notes: patient {PERSON}, born {DATE}, doctor {PERSON2}.",
    "Make one sentence of these notes: speaker {PERSON}, talk in {LOCATION}, day {DATE}, host {ORGANIZATION}.",
    "Rewrite politely: {PERSON} must call {PHONE} now and ask for {PERSON2}!",
    "Rewrite politely: Send the invoice {RECORD_ID} to {EMAIL} at once, says {PERSON}.",
    "Translate into German: {PERSON} has worked for {ORGANIZATION} in {LOCATION} since {DATE}.",
    "Translate into French: The sister of {PERSON} is called {PERSON2} and lives in {LOCATION}.",
    "Translate into Spanish: {PERSON} was born on {DATE} in {LOCATION}.",
    'Return a JSON object with the keys "name", "email" and "date" for: {PERSON} ({EMAIL}) wrote on {DATE}.',
    'Return a JSON object with the keys "from" and "to" for: {PERSON} sent {PERSON2} a parcel.',
    "Return a markdown table with the columns name and city: {PERSON} lives in {LOCATION}; {PERSON2} in {LOCATION2}.",
    "Summarize in one sentence: {PERSON} and {PERSON2} met in {LOCATION}. They agreed that {ORGANIZATION} pays.",
    "Who wrote to whom, and when? {PERSON} wrote to {PERSON2} on {DATE}. Answer in one sentence.",
    "Which number should be called, and who answers? Call {PHONE}, {PERSON} answers. Answer in one sentence.",
    "List all people in this text: {PERSON} met {PERSON2} and later {PERSON3}.",
    "Turn into a to-do list: call {PERSON}, pay {ORGANIZATION}, book the trip to {LOCATION} for {DATE}.",
    "Put into the past tense: {PERSON} visits {PERSON2} in {LOCATION}.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One prompt in one form."""

    messages: tuple[dict[str, str], ...] = field(repr=False)
    sent: tuple[tuple[str, str], ...]  # type and id of every placeholder


def tasks(form: PlaceholderForm, *, note: bool, draws: int, seed: int) -> Iterator[Task]:
    """Yield every prompt `draws` times, each time with other ids: the same prompts for every form."""
    for draw in range(draws):
        for number, prompt in enumerate(PROMPTS):
            slots = list(dict.fromkeys(_SLOT.findall(prompt)))
            ids = _ids(form, slots, random.Random(f"{seed}/{draw}/{number}"))
            text = _SLOT.sub(lambda slot: form.write(slot[1], ids[slot[1], slot[2]]), prompt)  # noqa: B023 - used at once
            told = {"role": "system", "content": TEMPLATE.format(example=form.write(*EXAMPLE))}
            messages = ({"role": "user", "content": text},)
            yield Task(
                messages=(told, *messages) if note else messages,
                sent=tuple((kind, ids[kind, which]) for kind, which in slots),
            )


def _ids(form: PlaceholderForm, slots: list[tuple[str, str]], rng: random.Random) -> dict[tuple[str, str], str]:
    """Numbers begin anew with each type, drawn ids are all different."""
    if form.id_length:
        return dict(zip(slots, form.draw_ids(len(slots), rng), strict=True))
    return {(kind, which): which or "1" for kind, which in slots}
