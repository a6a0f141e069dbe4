from collections.abc import Sequence

import pytest

from privguard.core.placeholders import Form
from privguard.detect.linking import OrganizationForms, Surface

WHO = Surface("World Health Office", "the ", " (WHO) said")


def linked(*mentions: str | Surface) -> list[int]:
    return list(OrganizationForms().link([Surface(each) if isinstance(each, str) else each for each in mentions]))


@pytest.mark.parametrize(
    "mentions",
    [
        ["Acme GmbH", "Acme", "ACME", "the Acme GmbH", "Acme's"],
        ["Acme Robotics S.A.", "Acme Robotics SA", "Acme Robotics"],
        ["Acme Sp. z o.o.", "Acme"],
        ["O'Brien Mill", "O\u2019Brien Mill", "O\u02bcBrien Mill\u02bcs"],
        ["Acme Holding GmbH & Co. KG", "Acme Holding"],
        [WHO, "WHO", "W.H.O."],
        ["World Health Office (WHO)", "WHO", "World Health Office"],
    ],
    ids=range(7),
)
def test_mentions_of_one_organization_are_linked_in_any_order(mentions: Sequence[str | Surface]) -> None:
    assert set(linked(*mentions)) == {0}
    assert set(linked(*reversed(mentions))) == {0}


@pytest.mark.parametrize(
    "mentions",
    [
        ["Acme Inc", "Acme Ltd", "Acme"],
        ["Acme", "Acme Robotics"],
        ["World Health Office", "WHO"],
        [Surface("World Health Office", "", " (see WHO)"), "WHO"],
        [WHO, Surface("World Harvest Office", "", " (WHO)"), "WHO"],
    ],
    ids=range(5),
)
def test_what_may_be_two_organizations_is_not_linked(mentions: Sequence[str | Surface]) -> None:
    assert len(set(linked(*mentions))) == len(mentions)


@pytest.mark.parametrize(
    ("mention", "plain", "form"),
    [
        ("Acme", "Acme GmbH", Form.SHORT),
        ("Acme GmbH", "Acme", Form.FULL),
        ("ACME", "Acme", Form.SPELLING),
        ("WHO", "World Health Office", Form.ABBREVIATION),
    ],
)
def test_a_form_says_how_a_mention_is_written(mention: str, plain: str, form: Form) -> None:
    assert OrganizationForms().form_of(Surface(mention), Surface(plain)) is form


def test_the_identity_leaves_the_legal_form_out() -> None:
    forms = OrganizationForms()
    assert {forms.identity_of(Surface(each)) for each in ("Acme GmbH", "The ACME", "Acme, Inc.")} == {"acme"}


def test_a_stated_abbreviation_is_known_in_later_batches() -> None:
    forms = OrganizationForms()
    assert forms.link([WHO]) == (0,)
    assert forms.link([Surface("WHO")]) == (0,)
