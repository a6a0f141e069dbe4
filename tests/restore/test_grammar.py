"""What is read as a placeholder, up to its last sign."""

import pytest

from privguard.core.entities import EntityType
from privguard.restore import grammar
from privguard.restore.seen import see

KINDS = list(EntityType)


@pytest.mark.parametrize("kind", KINDS)
def test_a_type_is_recognised_with_any_separator(kind: EntityType) -> None:
    for separator in ("_", "\\_", "-", " ", "", "\n", "\\n", " _ "):
        assert grammar.kind_of(kind.value.lower().replace("_", separator)) is kind
    assert grammar.kind_of(kind.value + "S") is kind


@pytest.mark.parametrize("words", ["NOMBRE", "PERSONAL", "人物", "", "MY_PERSON", "S"])
def test_another_word_names_no_type(words: str) -> None:
    assert grammar.kind_of(words) is None


@pytest.mark.parametrize("words", ["MY_PERSON", "my person", "PERSON A", "home-address", "MY\\_GOV\\_ID", "old gov id"])
def test_a_name_with_a_type_of_ours_in_it_is_known(words: str) -> None:
    assert grammar.names_type(words)


@pytest.mark.parametrize(
    "words",
    [
        "xPERSON",
        "XPERSON",
        "xperson",
        "MyPerson",
        "myPerson",
        "PersonId",
        "PERSONx",
        "personA",
        "theGovId",
        "xEMAIL of",
        "用户PERSON",
    ],
)
def test_a_name_with_a_type_of_ours_glued_into_it_is_known(words: str) -> None:
    assert grammar.names_type(words)


@pytest.mark.parametrize("words", ["PERSОN", "\u0420ERSON", "Nαme", "имяname", "\\u0420ERSON", "my имяx"])
def test_a_word_of_look_alike_letters_is_none(words: str) -> None:
    assert grammar.mixes_alphabets(words)


@pytest.mark.parametrize(
    "words", ["PERSONNE", "имя", "имя name", "όνομα", "ID番号", "Eメール", "N\\u00daMERO", "N_ΑΒ", "ﾅﾏｴ x"]
)
def test_words_of_one_alphabet_each_mix_none(words: str) -> None:
    assert not grammar.mixes_alphabets(words)


@pytest.mark.parametrize(
    "words",
    [
        "PERSONAL", "NOMBRE", "UPDATE", "人物", "GOV", "AGENT", "PERSONNE", "Personne", "Kontaktperson",
        "KONTAKTPERSON", "TELEPHONE", "Persona", "PERSONEN", "N\\u00daMERO DE CUENTA", "Langage", "TAGE", "Village",
        "ФИО", "fullName",
    ],
)  # fmt: skip
def test_a_word_that_merely_begins_like_one_is_another(words: str) -> None:
    assert not grammar.names_type(words)


@pytest.mark.parametrize("text", ["x_12345678901234", "a_B2", "_" + "A2" * 7, "PERSON_7QK2_x", "_ABCDE", "_word"])
def test_what_is_too_short_or_too_long_or_has_no_digit_is_no_anchor(text: str) -> None:
    assert grammar.ANCHOR.search(text) is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_canonical_placeholder_is_found_at_once(kind: EntityType) -> None:
    hit = grammar.SQUARE.search(f"so [1] [{kind.value}_7QK2]")
    assert hit is not None
    assert hit[1] == f"{kind.value}_7QK2"


@pytest.mark.parametrize("text", ["[x]", "array[index]", "[7", "[a [b 7", "[[[", "[]", "[7]"])
def test_a_bracket_without_a_digit_behind_something_is_passed_over(text: str) -> None:
    assert grammar.SQUARE.search(text) is None


@pytest.mark.parametrize(
    ("behind", "ending"),
    [
        ("]", ""),
        ("'s]", "'s"),
        ("’nin]", "’nin"),
        ("さん ]", "さん"),
        ("-nak]", "-nak"),
        (":lle]", ":lle"),
        ("\u0430]", "\u0430"),
        ("-\u0430]", "-\u0430"),
        ("'n\\u0131n]", "'n\\u0131n"),
        ("**]", ""),
        (": a hint]", ""),
    ],
)
def test_an_ending_is_told_from_a_hint(behind: str, ending: str) -> None:
    ended = grammar.ENDED.match(behind)
    assert ended is not None
    assert ended[1] == ending


@pytest.mark.parametrize("behind", ["x]", "-x2]", "_x]", " said]", "", "'s", ", ", "[", "-copy]"])
def test_what_does_not_end_with_its_bracket_has_no_end(behind: str) -> None:
    assert grammar.ENDED.match(behind) is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("]", 0),
        (" said]", 5),
        (" and [x]]", 8),
        (" and [x [y] z] ]", 15),
        ("", -1),
        (" and [x]", -1),
        ("\n]", -1),
        ("x" * 200 + "]", -1),
    ],
)
def test_the_bracket_that_closes_is_found_in_the_line(text: str, place: int) -> None:
    assert grammar.closes(text, 0)[0] == place


def test_it_is_told_how_far_one_had_to_look_for_the_bracket() -> None:
    assert grammar.closes(" said so", 0) == (-1, 8)
    assert grammar.closes(" said\nso", 0) == (-1, 6)
    assert grammar.closes(" said] so", 0) == (5, 6)
    assert grammar.closes("x" * 200, 0)[1] < 100


@pytest.mark.parametrize("text", ["7QK2А", "7QK2Α", "7QK2٢", "7QK2\\u0410", "7QK2\\\\u0662"])
def test_a_capital_or_a_digit_of_another_script_makes_an_id_longer(text: str) -> None:
    assert grammar.is_longer_id(text, 4)


@pytest.mark.parametrize("text", ["7QK2", "7QK2а", "7QK2さん", "7QK2é", "7QK2\\u0430", "7QK2\\n", "7QK2²", "7QK2 А"])
def test_an_ending_does_not(text: str) -> None:
    assert not grammar.is_longer_id(text, 4)


def test_an_index_is_known_by_the_name_before_it() -> None:
    for text in ("rows[", "f(x)[", "a1[", "a_["):
        assert grammar.is_indexed(text, len(text) - 1)
    for text in ("[", " [", "][", "é[", "：["):
        assert not grammar.is_indexed(text, len(text) - 1)


def test_every_start_of_a_destination_is_known() -> None:
    for destination in ("(https:", "(http:", "(mailto:", "(www.", "([url_", "(<https:"):
        assert grammar.LINK.match(destination + "//x")
        assert all(destination[:length] in grammar.LINK_STARTS for length in range(len(destination)))
    for other in ("(she)", "(/x)", " (https:", "(#1)"):
        assert grammar.LINK.match(other) is None


def test_no_form_is_longer_than_the_longest() -> None:
    begin = "\\" * 8 + "&amp;amp;lbrack;" + " " * 4 + "***ORGANIZATION" + " " * 4 + "|" + " " * 4 + "\n" + " " * 16
    end = "> > > " + "\\" * 8 + "_    7QK2M3N4P5R6’nin***    :" + "x" * 82 + "\\" * 8 + "]"
    longest = begin + end
    assert len(longest) + grammar.LONGEST_LINK < grammar.MAX_FORM
    assert grammar.BEGUN.search(see(longest).text) is not None
