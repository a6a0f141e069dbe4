"""Who is who: tables of mentions that are one person, and of those that are not."""

from collections.abc import Sequence

import pytest

from privguard.core.placeholders import Form
from privguard.detect.linking import PersonForms, Surface
from tests.growth import costs_in_proportion, seconds


def linked(*mentions: str | Surface) -> list[int]:
    """Return the number of the person that each mention is of."""
    return list(PersonForms().link([Surface(each) if isinstance(each, str) else each for each in mentions]))


SAME = [
    ["Johnny Reik", "Mr Reik", "REIK'S", "John Reik", "J. Reik", "Dr. Reik", "reik", "Johnny", "Jack"],
    ["Reik, Johnny", "Johnny Reik", "REIK Johnny", "Prof. Dr. Johnny Reik", "Johnny Reik, PhD", "Reik"],
    ["Johnny A. Reik", "Johnny Reik", "J. A. Reik", "Johnny Adam Reik"],
    ["Elif Yılmaz", "Elif'in", "Yılmaz'dan", "Elif Hanım"],
    ["Jörg Müller", "Mueller", "Müller", "Muller", "MÜLLER"],
    ["Ludo van der Berg", "van der Berg", "Van Der Berg", "Mr. van der Berg", "Ludo"],
    ["Omar al-Rashid", "al-Rashid", "Rashid"],
    ["Ana María García López", "Ana López", "García López", "García", "Sra. García"],
    ["Johnny Adam Reik", "J. Reik", "Johnny Reik", "J. A. Reik"],
    ["Bob Marsh", "Robert Marsh", "Rob Marsh"],
    ["John Smith Jr.", "Smith junior", "John Smith, Jr.", "John Smith the younger", "J. Smith fils"],
    ["John Smith III", "John Smith"],
    ["Adam Kowalski", "Kowalskiego", "Kowalskiemu", "pan Kowalski"],
    ["Jan Nowak", "Janowi", "Nowak"],
    ["Mikko Virtanen", "Virtasen", "Virtaselle"],
    ["Иван Достоевский", "Достоевского", "Иваном", "господин Достоевский"],
    ["Анна Каренин", "Анны", "Анну", "Анной"],
    ["Γιώργος Σεφέρης", "Γιώργου", "Σεφέρη"],
    ["田中太郎", "田中さん", "田中"],
    ["王伟", "王先生"],
    ["김민수", "김민수 씨", "민수"],
    ["فاطمة الحسن", "فاطِمة", "فاطمه الحسن", "الحسن", "فاطـمة"],
    ["أحمد علي", "احمد على", "أحمد"],
    ["דוד כהן", "דָּוִד כֹּהֵן", "כהן", "דוד\u05beכהן"],
    ["山田 太郎", "山田太郎", "山田\u3000太郎", "山田・太郎", "山田さん"],
    ["김 민수", "김민수", "민수"],
    ["Johnny Reik", "Johnny Reik's", "Johnny Reik\u2019s"],
    ["Annie Roth", "Anne Roth"],
    ["O'Brien", "Sean O’Brien"],
    ["Sean O'Brien", "O\u2019Brien", "O\u02bcBrien\u2019s", "Sean O`Brien", "O\u00b4Brien, Sean", "SeanO\u2018Brien"],
    ["Johnny Reik Jr.", "Johnny Reik"],
    ["Seán Ó Briain", "SEÁN Ó BRIAIN"],
    ["Marie-Odile Kern", "M.-O. Kern", "Mme Kern"],
    ["Tobias Kernberg", "TobiasKernberg", "tobias_kernberg", "tobiaskernberg", "tkernberg", "kernberg.t"],
    ["Tobias Kernberg", "Kern\u00adberg", "Tobias Kern\u200bberg", "Ｔｏｂｉａｓ Ｋｅｒｎｂｅｒｇ", "K e r n b e r g"],
    ["Katarzyna Nowak", "K a t a r z y n a", "K a t a r z y n a N o w a k"],
    ["Jean-Pierre", "Jean Pierre", "Jean\u2011Pierre", "JeanPierre"],
    ["Jean-Pierre Martin", "Jean Pierre Martin", "Jean\u2011Pierre Martin", "Martin, Jean Pierre", "Mr Martin"],
    ["Jean Pierre Martin", "Jean-Pierre", "JeanPierre", "Jean"],
    ["Jean Pierre", "Jean-Pierre Martin"],
    ["Ada Roth-Kern", "Ada Roth Kern", "Mrs Roth-Kern", "Roth-Kern"],
]
APART = [
    ["Johnny Reik", "Mara Reik", "Reik"],
    ["Alex Moor", "Alex Roth", "Alex"],
    ["Mr Reik", "Mrs Reik", "Reik"],
    ["Johnny Reik", "Mrs Reik"],
    ["Johnny Reik Jr.", "Johnny Reik Sr."],
    ["Johnny Reik", "Jane Reik", "J. Reik"],
    ["Ada Roth", "Ada Kole"],
    ["Don Roth", "Mara Roth"],
    ["Bill", "William"],
    ["Иван Иванов", "Иванова"],
    ["Мария Иванова", "Иван Иванов", "Иванову"],
    ["Paul Kern", "Paula"],
    ["Patient 7", "Patient 8"],
    ["Ada and Ben Roth", "Ada Roth"],
    ["王伟", "王芳", "王先生"],
    ["Van Nguyen", "Thu Nguyen"],
    ["Ana María Roth", "Ana Luisa Roth"],
    ["Martin Thomas", "Thomas Martin"],
    ["Arthur William Kern", "William Kern"],
    ["Tobias Kernberg", "Thea Kernberg", "tkernberg"],
    ["Tobias Kernberg", "KernbergTobler"],
    ["Arthur William Kern", "William"],
    ["Johnny Reik", "M. Reik"],
    ["Alex Kim", "Alexandra Kim", "Alexander Kim"],
    ["Albert Einstein", "Albert Einstein Gruber"],
    ["Jean-Pierre Martin", "Jean Martin"],
    ["Jean-Pierre Martin", "Jean-Paul Martin"],
    ["Jean-Pierre Martin", "Pierre-Jean Martin"],
    ["Jean-Pierre Martin", "Jean Pierre Kole"],
    ["Jean Pierre Martin", "Jean Pierre Kole", "Jean-Pierre"],
    ["Ada Roth-Kern", "Ada Roth"],
    ["Ada Roth-Kern", "Ben Roth Kern"],
    ["Ana García", "Ana María García López"],
    ["John Smith Sr.", "John Smith Jr.", "John Smith"],
    ["John Smith II", "John Smith III", "J. Smith"],
    ["王芳", "王芳芳"],
    ["Hans Peters", "Hans Peter"],
    ["Ben Williams", "Ben William", "Mr Willem"],
    ["Johnny Reik", "Johnny Reiks"],
    ["Anna Roth", "Anne Roth"],
    ["Anna Roth", "Anne"],
    ["Maria Roth", "Marie Roth", "Mary Roth"],
    ["Karl Kern", "Carl Kern"],
    ["Steven Kern", "Stephen Kern"],
    ["Tom Hansen", "Tom Hannen"],
    ["Hansen", "Hannen"],
]


@pytest.mark.parametrize("mentions", SAME, ids=range(len(SAME)))
def test_mentions_of_one_person_are_linked_in_any_order(mentions: Sequence[str]) -> None:
    assert set(linked(*mentions)) == {0}
    assert set(linked(*reversed(mentions))) == {0}


@pytest.mark.parametrize("mentions", APART, ids=range(len(APART)))
def test_what_may_be_two_people_is_not_linked_in_any_order(mentions: Sequence[str]) -> None:
    assert len(set(linked(*mentions))) == len(mentions)
    assert len(set(linked(*reversed(mentions)))) == len(mentions)


def test_a_hyphen_is_another_spelling_and_no_fuller_name() -> None:
    spaced, joined = Surface("Jean Pierre Martin"), Surface("Jean-Pierre Martin")
    for one, other in ((spaced, joined), (joined, spaced)):
        assert PersonForms().form_of(one, other) is Form.SPELLING


def test_a_title_before_the_mention_counts() -> None:
    mr, mrs = Surface("Reik", "to Mr. ", ""), Surface("Reik", "and Mrs ", "")
    assert linked(mr, mrs) == [0, 1]
    assert linked("Johnny Reik", mr, mrs) in ([0, 0, 1], [0, 1, 2])
    assert linked("Mara Reik", Surface("Reik", "Sehr geehrter Herr Dr. ")) == [0, 1]


@pytest.mark.parametrize(
    ("older", "younger"),
    [
        (" senior owes", " junior 300"),
        (" Sr. owes", " Jr. 300"),
        (", Sr., owes", ", Jr., 300"),
        (" II owes", " III 300"),
        (" the elder owes", " the younger."),
        (" der Ältere schuldet", " der Jüngere"),
        (" sen. schuldet", " jun. Geld"),
        (" d. Ä. schuldet", " d. J."),
        (" père doit", " fils"),
        (" l\u2019aîné doit", " le cadet"),
        (" padre debe", " hijo"),
        (" padre deve", " figlio"),
        (" il Vecchio deve", " il Giovane"),
        (" de Oude is", " de Jonge"),
    ],
)
def test_the_generation_behind_a_name_tells_two_of_one_name_apart(older: str, younger: str) -> None:
    first, second = Surface("Jan Roth", "", older), Surface("Jan Roth", "", younger)
    assert linked(first, second) == [0, 1]
    assert linked(first, second, Surface("Jan Roth")) == [0, 1, 2]
    assert linked(second, Surface("Roth"), first, second) in ([0, 1, 2, 0], [0, 2, 1, 0])


@pytest.mark.parametrize(
    "after", [" Senior Engineer", ", senior engineer", " hijo de Ana", " seniors", " V", ", Sr. Kole"]
)
def test_what_only_looks_like_a_generation_tells_nobody_apart(after: str) -> None:
    assert linked("Jan Roth Jr.", Surface("Jan Roth", "", after)) == [0, 0]


def test_a_name_without_generation_is_left_alone_where_two_claim_it() -> None:
    forms = PersonForms()
    assert forms.link([Surface("Jan Roth")]) == (0,)
    assert sorted(forms.link([Surface("Jan Roth Sr."), Surface("Jan Roth Jr.")])) == [1, 2]
    assert forms.link([Surface("Jan Roth", "", " senior")]) == (1,)


GENITIVES = [(" Auto steht", "Johnny Reik"), (" neues Auto", "Johnny Reik"), (" Antrag", "Reik"), (" Akte.", "Johnny")]


@pytest.mark.parametrize(("after", "base"), GENITIVES, ids=range(len(GENITIVES)))
def test_an_s_before_a_noun_is_a_genitive_of_a_name_that_is_known(after: str, base: str) -> None:
    mention = Surface(f"{base}s", "", after)
    assert linked("Johnny Reik", mention) == linked(mention, "Johnny Reik") == [0, 0]
    assert len(set(linked("Johnny Reik", f"{base}s"))) == 2
    assert linked("Johnny Reik", "Mara Reiks", Surface("Reiks", "", " Auto")) == [0, 1, 2]


@pytest.mark.parametrize("after", [" ist da", ", Auto", " neues auto", " Auto: rot", " GmbH", ""], ids=range(6))
def test_an_s_elsewhere_is_a_letter_of_the_name(after: str) -> None:
    assert linked("Hans Peter", Surface("Hans Peters", "", after)) == [0, 1]


def test_a_name_that_is_written_with_its_s_elsewhere_too_is_no_genitive() -> None:
    before_noun = Surface("Hans Peters", "", " Auto")
    assert linked("Hans Peter", before_noun, "Hans Peters") == [0, 1, 1]
    assert linked(before_noun, "Hans Peters", "Hans Peter") in ([0, 0, 1], [1, 1, 0])


def test_a_pet_form_beside_the_full_name_is_somebody_else() -> None:
    bob, robert = Surface("Bob Marsh", sentence=1), Surface("Robert Marsh", sentence=1)
    assert linked(bob, robert, "Robert Marsh", "Bob Marsh") == [0, 1, 1, 0]
    assert linked(robert, bob) == [0, 1]
    assert linked(bob, Surface("Robert Marsh", sentence=2)) == [0, 0]
    assert linked(Surface("R. Marsh", sentence=1), robert) == [0, 0]


def test_two_that_were_taken_for_one_part_where_they_are_told_apart() -> None:
    forms = PersonForms()
    assert forms.link([Surface("Bob Marsh")]) == (0,)
    assert forms.link([Surface("Robert Marsh")]) == (0,)
    assert forms.link([Surface("Bob Marsh", sentence=1), Surface("Robert Marsh", sentence=1)]) == (0, 1)
    assert forms.link([Surface("Robert Marsh"), Surface("Bob Marsh")]) == (1, 0)


def test_a_pet_form_that_fits_two_full_names_is_given_to_neither_in_later_batches() -> None:
    forms = PersonForms()
    assert forms.link([Surface("Alex Kim", sentence=1), Surface("Alexandra Kim", sentence=1)]) == (0, 1)
    assert forms.link([Surface("Alexander Kim")]) == (2,)
    assert forms.link([Surface("Alexander Kim"), Surface("Alex Kim")]) == (2, 0)


def test_a_family_is_not_one_of_its_members() -> None:
    family = Surface("Reik", "the ", " family is")
    assert linked("Johnny Reik", family, Surface("Reik", "Familie "), Surface("Reiks", "die ")) == [0, 1, 1, 2]


def test_an_ambiguous_part_keeps_its_number_in_later_batches() -> None:
    forms = PersonForms()
    assert forms.link([Surface("Alex Moor"), Surface("Alex Roth"), Surface("Alex")]) == (0, 1, 2)
    assert forms.link([Surface("Alex"), Surface("Moor")]) == (2, 0)


def test_a_part_that_two_full_names_claim_is_given_to_neither() -> None:
    forms = PersonForms()
    assert forms.link([Surface("Reik")]) == (0,)
    assert sorted(forms.link([Surface("Johnny Reik"), Surface("Mara Reik")])) == [1, 2]


@pytest.mark.parametrize(
    ("mention", "form"),
    [
        ("Reik", Form.LAST),
        ("Johnny", Form.FIRST),
        ("Jack", Form.NICKNAME),
        ("Mr Reik", Form.TITLED),
        ("Dr Johnny Reik", Form.TITLED),
        ("J. Reik", Form.INITIALS),
        ("JOHNNY REIK", Form.SPELLING),
        ("Reik, Johnny", Form.SPELLING),
        ("Johnny Adam Reik", Form.FULL),
    ],
)
def test_a_form_says_how_a_mention_is_written(mention: str, form: Form) -> None:
    assert PersonForms().form_of(Surface(mention), Surface("Johnny Reik")) is form


@pytest.mark.parametrize(
    ("mention", "plain", "form"),
    [
        ("Reik", "Mr Reik", Form.SHORT),
        ("Kole", "Ana Kole Roth", Form.SHORT),
        ("田中", "田中太郎", Form.SHORT),
        ("Анны", "Анна", Form.SPELLING),
    ],
)
def test_a_form_fits_what_it_differs_from(mention: str, plain: str, form: Form) -> None:
    assert PersonForms().form_of(Surface(mention), Surface(plain)) is form


def test_the_identity_leaves_the_title_out() -> None:
    forms = PersonForms()
    assert {forms.identity_of(Surface(each)) for each in ("Dr. Ada Roth", "ADA ROTH", "Roth, Ada")} == {"ada roth"}


def test_many_namesakes_cost_no_more_than_as_many_strangers() -> None:
    def cost(count: int) -> float:
        names = [Surface(f"{first}a Smith") for first in _words(count)]
        return seconds(lambda: PersonForms().link([*names, Surface("Smith")]))

    assert costs_in_proportion(cost, 250, least_s=0.001)


def _words(count: int) -> list[str]:
    letters = "bcdfghjklmnpqrst"
    return [f"{letters[n % 16].upper()}o{letters[n // 16 % 16]}u{letters[n // 256 % 16]}" for n in range(count)]


def test_a_surface_shows_nothing_of_its_text() -> None:
    assert "Reik" not in repr(Surface("Johnny Reik", "Reik", "Reik"))
