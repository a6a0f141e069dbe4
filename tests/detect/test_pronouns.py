import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.placeholders import Pronoun
from privguard.detect.pronouns import find_pronouns


def told(marked: str) -> str:
    """Read a text whose first `<…>` is the mention and whose others are those of somebody else."""
    text, spans = "", []
    for part in marked.replace(">", "<").split("<"):
        spans.append((len(text), len(text) + len(part)))
        text += part
    (start, end), *others = spans[1::2]
    found = find_pronouns(text, start, end, lambda low, high: any(a < high and low < b for a, b in others))
    return " ".join(sorted(found))


@pytest.mark.parametrize(
    ("marked", "pronoun"),
    [
        ("<Mrs Okafor> called.", "she"),
        ("Please call Mrs <Okafor> now.", "she"),
        ("<MR OKAFOR> CALLED", "he"),
        ("<Mx Okafor> called.", "they"),
        ("<Frau Dr. Okafor> hat angerufen.", "she"),
        ("Schreibe an Herrn <Okafor>.", "he"),
        ("<Mme Dupont> est là.", "she"),
        ("Bonjour, <M. Dupont> est venu pour le rendez-vous.", "he"),
        ("La <Sra. García> llamó.", "she"),
        ("El señor <García> llamó.", "he"),
        ("La signora <Rossi> ha chiamato.", "she"),
        ("O senhor <Costa> ligou.", "he"),
        ("Mevrouw <de Boer> belt.", "she"),
    ],
)
def test_a_title_tells_the_pronoun(marked: str, pronoun: str) -> None:
    assert told(marked) == pronoun


@pytest.mark.parametrize(
    ("marked", "pronoun"),
    [
        ("Write to my sister <Kim>.", "she"),
        ("Bob's younger brother <Kim> is ill.", "he"),
        ("Meine Kollegin <Kim Okafor> ist krank.", "she"),
        ("Mon frère <Kim> est là.", "he"),
        ("Mi hermana <Kim> llamó.", "she"),
        ("La mia sorella <Kim> ha chiamato.", "she"),
        ("Meu irmão <Kim> ligou.", "he"),
        ("Mijn zus <Kim> belt.", "she"),
        ("<Kim Okafor> (they/them) will join.", "they"),
        ("<Kim Okafor> (she/her/hers) will join.", "she"),
    ],
)
def test_a_relation_or_a_statement_tells_the_pronoun(marked: str, pronoun: str) -> None:
    assert told(marked) == pronoun


@pytest.mark.parametrize(
    ("marked", "pronoun"),
    [
        ("<Kim Okafor> called and said he was late.", "he"),
        ("<Kim Okafor> called. Then she left the house.", "she"),
        ("I met <Ben Kole>. <Kim Okafor> was there. He left.", ""),
        ("<Kim Okafor> hat angerufen. Sie ist krank.", "she"),
        ("Das Auto gehört <Kim Okafor>. Er wohnt in der Stadt.", "he"),
        ("<Kim Roy> a appelé pour le devis. Elle est malade.", "she"),
        ("<Kim García> llamó porque ella no está en la casa.", "she"),
        ("<Kim Rossi> ha detto che lei non sta a casa.", "she"),
        ("Escreve à <Kim Costa>. Ela mora em uma casa.", "she"),
        ("<Kim de Boer> is ziek. Hij komt niet.", "he"),
    ],
)
def test_a_pronoun_in_the_same_or_the_next_sentence_tells_it(marked: str, pronoun: str) -> None:
    assert told(marked) == pronoun


@pytest.mark.parametrize(
    "marked",
    [
        "<Lena Okafor> called.",  # a given name tells nothing
        "<Lena Okafor> called. He was late.",  # and is not spoken against
        "<Kim Okafor> told <Ben Kole> that he was late.",
        "<Kim Okafor> told me about <Ben Kole>. He was late.",
        "<Kim Okafor> called about the patient. He was late.",
        "<Kim Okafor> and her brother say that he is late.",
        "<Kim Okafor> called. The weather is bad. She was late.",  # two sentences on
        "<Kim Okafor> says that they will come.",  # one or several
        "Das Auto gehört <Kim Okafor>. Er ist rot und die Tür ist kaputt.",  # the car
        "<Kim Okafor> kommt von der Arbeit her.",  # another language
        "<Kim García>, yo le he escrito por la tarde.",
        "<Kim Rossi> ha chiamato. Lei può venire con il treno.",  # the reader
        "<Kim Okafor> hat angerufen. Sie können die Rechnung zahlen.",
        "<Mrs> Roth came.",  # no name
        "Frau <Dr.> Roth kam.",
        "<Mr and Mrs Roth> came.",
        "Mr and Mrs <Roth> came.",
        "I miss <Kim> a lot.",
        "The sister <Kim> knows is ill.",
        "Hello, <M. Dupont> came for the appointment.",
        "<Fr. Okafor> came.",  # Father, or Frau
        "<Kim Okafor> (she/they) will join.",
    ],
)
def test_what_may_speak_of_somebody_else_tells_nothing(marked: str) -> None:
    assert told(marked) == ""


@pytest.mark.parametrize(
    "marked",
    [
        "<Lena Okafor> said that he or she will come.",
        "<Kim Okafor> said that s/he will come.",
        "<Kim Okafor> said that she is ill. He was late.",
    ],
)
def test_what_contradicts_itself_tells_both(marked: str) -> None:
    assert told(marked) == "he she"


PIECES = st.sampled_from(
    [". ", " ", "\n", "Mr ", "Mrs ", "my sister ", "she ", "He ", "the ", "and ", "(she/her)", "Lena", "Sie ist ",
     "er ", "M. ", "é", "\U0001f600", "(", "s/he "]
)  # fmt: skip


@given(before=st.lists(PIECES).map("".join), name=st.lists(PIECES, min_size=1).map("".join), after=st.lists(PIECES))
def test_any_text_is_read(before: str, name: str, after: list[str]) -> None:
    text = before + name + "".join(after)
    found = find_pronouns(text, len(before), len(before) + len(name), lambda *_: False)
    assert found <= set(Pronoun)


@given(before=st.lists(PIECES).map("".join), after=st.lists(PIECES).map("".join))
def test_somebody_else_never_adds_a_pronoun(before: str, after: str) -> None:
    text = f"{before} Kim {after}"
    start = len(before) + 1
    alone, beside = (find_pronouns(text, start, start + 3, lambda *_, x=other: x) for other in (False, True))
    assert beside <= alone
