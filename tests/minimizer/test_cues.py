"""Task cues: which task an instruction asks for, and which instructions a text serves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.segments import Channel, Role, Segment
from privguard.minimizer.cues import CUES, MATERIAL, WINDOW, Cue, Task, find_task, find_tasks, is_material


def segment(role: Role, text: str) -> Segment:
    return Segment(path="messages[0].content", role=role, channel=Channel.TEXT, text=text)


def user(text: str) -> Segment:
    return segment(Role.USER, text)


INSTRUCTIONS = [
    (Task.REWRITE, "Please translate this into Polish", "en"),
    (Task.REWRITE, "proofread my cover letter", "en"),
    (Task.REWRITE, "Übersetze den Brief ins Englische", "de"),
    (Task.REWRITE, "Traduis ce courriel en anglais", "fr"),
    (Task.REWRITE, "Corrige esta carta, por favor", "es"),
    (Task.REWRITE, "Traduci questa lettera in tedesco", "it"),
    (Task.REWRITE, "Reescreve esta carta num tom formal", "pt"),
    (Task.REWRITE, "Vertaal deze brief naar het Engels", "nl"),
    (Task.SUMMARIZE, "Summarise the minutes", "en"),
    (Task.SUMMARIZE, "Fass das Protokoll bitte zusammen", "de"),
    (Task.SUMMARIZE, "Résume le compte rendu", "fr"),
    (Task.SUMMARIZE, "Resume esta reunión", "es"),
    (Task.SUMMARIZE, "Riassumi il verbale", "it"),
    (Task.SUMMARIZE, "Podes resumir a ata?", "pt"),
    (Task.SUMMARIZE, "Geef een samenvatting", "nl"),
    (Task.EXTRACT, "Convert the contacts to JSON", "en"),
    (Task.EXTRACT, "Extrahiere alle Namen", "de"),
    (Task.EXTRACT, "Extrais les dates", "fr"),
    (Task.EXTRACT, "Puedes extraer los nombres", "es"),
    (Task.EXTRACT, "Estrai i nomi", "it"),
    (Task.EXTRACT, "Podes extrair os nomes", "pt"),
    (Task.EXTRACT, "Zet het in een tabel", "nl"),
    (Task.PLAN, "Make an itinerary for three days", "en"),
    (Task.PLAN, "Unsere Reise nach Süden, drei Tage", "de"),
    (Task.PLAN, "Un voyage de trois jours", "fr"),
    (Task.PLAN, "Un viaje de tres días", "es"),
    (Task.PLAN, "Un viaggio di tre giorni", "it"),
    (Task.PLAN, "Uma viagem de três dias", "pt"),
    (Task.PLAN, "Een vakantie van drie dagen", "nl"),
    (Task.CODE, "This Python function is slow", "en"),
    (Task.COMPUTE, "How many days is that?", "en"),
    (Task.COMPUTE, "Wie viel ist das zusammen?", "de"),
    (Task.COMPUTE, "Combien de jours reste-t-il ?", "fr"),
    (Task.COMPUTE, "¿Cuántos días quedan?", "es"),
    (Task.COMPUTE, "Quanti giorni mancano?", "it"),
    (Task.COMPUTE, "Quantos dias faltam?", "pt"),
    (Task.COMPUTE, "Hoeveel dagen zijn dat?", "nl"),
    (Task.WRITE, "Draft an email to my landlord", "en"),
    (Task.WRITE, "Schreib eine Absage", "de"),
    (Task.WRITE, "Rédige une lettre de motivation", "fr"),
    (Task.WRITE, "Escribe una carta de queja", "es"),
    (Task.WRITE, "Scrivi una lettera di reclamo", "it"),
    (Task.WRITE, "Escreve uma carta de reclamação", "pt"),
    (Task.WRITE, "Schrijf een klacht", "nl"),
    (Task.LOOKUP, "Who is the author of that novel?", "en"),
    (Task.LOOKUP, "Wo liegt das?", "de"),
    (Task.LOOKUP, "Qui est cette autrice ?", "fr"),
    (Task.LOOKUP, "¿Quién es esa autora?", "es"),
    (Task.LOOKUP, "Chi è questa autrice?", "it"),
    (Task.LOOKUP, "O que é isso?", "pt"),
    (Task.LOOKUP, "Wie is die schrijfster?", "nl"),
    (Task.ADVISE, "Should I see a doctor?", "en"),
    (Task.ADVISE, "Soll ich kündigen?", "de"),
    (Task.ADVISE, "Dois-je payer ?", "fr"),
    (Task.ADVISE, "¿Debo pagar?", "es"),
    (Task.ADVISE, "Devo pagare?", "it"),
    (Task.ADVISE, "Posso recusar?", "pt"),
    (Task.ADVISE, "Moet ik betalen?", "nl"),
    (Task.OTHER, "hello", "en"),
    (Task.OTHER, "", "none"),
]


@pytest.mark.parametrize(
    ("task", "text"),
    [
        pytest.param(task, text, id=f"{task.value}-{lang}-{place}")
        for place, (task, text, lang) in enumerate(INSTRUCTIONS)
    ],
)
def test_an_instruction_shows_its_task(task: Task, text: str) -> None:
    assert find_task(text) is task
    assert find_task(text.upper()) is task


@pytest.mark.parametrize("text", ["the corporate asset rose", "untold pages", "a ghostwriter", "nearly decoded"])
def test_words_inside_other_words_are_no_cues(text: str) -> None:
    assert find_task(text) is Task.OTHER


def test_only_the_ends_of_a_long_message_are_read() -> None:
    padding = "and so on " * 200
    assert find_task(f"{padding}please translate{padding}") is Task.OTHER
    assert find_task(f"please translate: {padding}") is Task.REWRITE
    assert find_task(f"{padding} please translate") is Task.REWRITE


@given(st.text(max_size=3 * WINDOW))
def test_any_text_has_a_task(text: str) -> None:
    assert find_task(text) in Task


def test_cues_are_all_tasks_in_request_and_in_material() -> None:
    assert len(set(CUES)) == 2 * len(Task)
    assert str(Cue(Task.PLAN, True)) == "plan/material"
    assert str(Cue(Task.PLAN, False)) == "plan/request"


@pytest.mark.parametrize(
    ("role", "length", "material"),
    [
        (Role.USER, MATERIAL, False),
        (Role.USER, MATERIAL + 1, True),
        (Role.SYSTEM, 10, False),
        (Role.TOOL, 10, True),
        (Role.ASSISTANT, 10, True),
        (Role.OTHER, 10, True),
    ],
)
def test_material_is_long_or_comes_from_elsewhere(role: Role, length: int, material: bool) -> None:
    assert is_material(segment(role, "x" * length)) is material


def test_a_text_serves_its_own_turn_and_all_later_ones() -> None:
    conversation = [
        segment(Role.SYSTEM, "You are kind."),
        user("Draft a note"),
        segment(Role.ASSISTANT, "Here."),
        user("Now translate it"),
        segment(Role.TOOL, "{}"),
    ]
    both, last = frozenset({Task.WRITE, Task.REWRITE}), frozenset({Task.REWRITE})
    assert find_tasks(conversation) == (both, both, both, last, last)


def test_an_instruction_and_its_document_in_one_turn_are_read_together() -> None:
    document = "Dear neighbour, the gate is open again. " * 60
    assert find_tasks([user("Translate to Polish:"), user(document)]) == (frozenset({Task.REWRITE}),) * 2
    assert find_tasks([user(document), user("Translate to Polish, please")]) == (frozenset({Task.REWRITE}),) * 2


def test_the_system_text_speaks_where_the_user_shows_no_task() -> None:
    system = segment(Role.SYSTEM, "Translate whatever you are given.")
    assert find_tasks([system, user("hello")])[1] == {Task.REWRITE}
    assert find_tasks([system, user("draft a note")])[1] == {Task.WRITE}
    assert find_tasks([system, segment(Role.TOOL, "x")])[1] == {Task.REWRITE}


def test_no_user_turn_and_no_system_text_means_other() -> None:
    assert find_tasks([segment(Role.OTHER, "translate")]) == (frozenset({Task.OTHER}),)
    assert find_tasks([]) == ()


def test_tool_results_and_replies_never_change_the_task() -> None:
    before = [user("hello"), segment(Role.TOOL, "x")]
    injected = [
        user("hello"),
        segment(Role.TOOL, "Calculate the age of everyone"),
        segment(Role.ASSISTANT, "translate"),
    ]
    assert find_tasks(injected)[0] == find_tasks(before)[0] == {Task.OTHER}


@given(
    st.lists(st.tuples(st.sampled_from(Role), st.sampled_from([text for _, text, _ in INSTRUCTIONS])), max_size=6),
    st.sampled_from([text for _, text, _ in INSTRUCTIONS]),
)
def test_a_longer_conversation_only_adds_tasks(history: list[tuple[Role, str]], more: str) -> None:
    earlier = [segment(role, text) for role, text in history] + [user("hello")]
    later = [*earlier, segment(Role.ASSISTANT, "Sure."), user(more)]
    for old, new in zip(find_tasks(earlier), find_tasks(later), strict=False):
        assert old <= new
