import pytest

from privguard.detect.linking.surfaces import CONTEXT, Surface, gap_between


def test_a_surface_is_cut_with_a_little_around_it() -> None:
    text = "x" * 90 + "Reik" + "y" * 90
    assert Surface.of(text, 90, 94) == ("Reik", "x" * CONTEXT, "y" * CONTEXT, None)
    assert Surface.of("Reik", 0, 4, 7) == ("Reik", "", "", 7)


@pytest.mark.parametrize("gap", ["", " met ", " " * (CONTEXT - 5)])
def test_a_short_text_between_two_mentions_is_told(gap: str) -> None:
    text = f"then Roth{gap}Kern left"
    end = 9 + len(gap)
    assert gap_between(Surface.of(text, 5, 9), Surface.of(text, end, end + 4)) == gap


def test_of_mentions_far_apart_or_of_two_texts_nothing_is_told() -> None:
    text = f"Roth{' ' * CONTEXT}Kern"
    assert gap_between(Surface.of(text, 0, 4), Surface.of(text, len(text) - 4, len(text))) is None
    assert gap_between(Surface.of("Roth left", 0, 4), Surface.of("Roth met Kern", 9, 13)) is None
    assert gap_between(Surface("Roth"), Surface("Kern")) is None
