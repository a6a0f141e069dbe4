import pytest

from privguard.core.placeholders import Pronoun
from privguard.detect.pronoun_cues import ANY, read_cues

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_cues_of_every_sort(language: str) -> None:
    cues = read_cues()[language]
    assert {*cues.pronouns.values(), *cues.with_verb.values()} == {Pronoun.SHE, Pronoun.HE}
    assert {*cues.kin.values()} == {Pronoun.SHE, Pronoun.HE}
    assert cues.own
    assert cues.articles
    assert len(cues.common) >= 20
    assert cues.kin.keys() <= cues.others


def test_no_title_tells_two_pronouns() -> None:
    cues = read_cues()[ANY]
    assert cues.titles.keys().isdisjoint(cues.small_titles)
    assert {*cues.titles.values(), *cues.small_titles.values()} == set(Pronoun)
    assert set(read_cues()) == {ANY, *LANGUAGES}
