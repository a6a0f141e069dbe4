import pytest

from privguard.detect.linking.generations import generation_after, part_generation


@pytest.mark.parametrize(
    ("written", "name", "generation"),
    [
        ("Jan Roth Jr.", "Jan Roth", "jr"),
        ("Roth, Jan Jr.", "Roth, Jan", "jr"),
        ("Jan Roth, III", "Jan Roth", "iii"),
        ("Jan Roth der Jüngere", "Jan Roth", "jr"),
        ("Mr Roth senior", "Mr Roth", "sr"),
        ("Ada Senior", "Ada Senior", ""),
        ("Ada", "Ada", ""),
        ("Jr.", "Jr.", ""),
        ("", "", ""),
    ],
)
def test_a_generation_ends_a_name(written: str, name: str, generation: str) -> None:
    assert part_generation(written) == (name, generation)


@pytest.mark.parametrize(
    ("after", "generation"), [(" senior", "sr"), (" Jr. She", "jr"), (" III", "iii"), (" iii", ""), ("", "")]
)
def test_a_generation_stands_behind_a_name(after: str, generation: str) -> None:
    assert generation_after(after) == generation
