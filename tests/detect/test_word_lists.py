import pytest

from privguard.detect.word_lists import FOLDER, read_lines, read_words

NAMES = sorted(path.stem for path in FOLDER.iterdir())
AS_WRITTEN = {"key_forms", "secret_options"}  # keys and options mean what they do in their own letter case alone


@pytest.mark.parametrize("name", NAMES)
def test_a_list_says_what_it_is_and_holds_each_line_once(name: str) -> None:
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8").startswith("# ")
    lines = read_lines(name)
    assert lines
    assert len(lines) == len(set(lines)) == len(read_words(name))
    assert all(line == " ".join(line.split()) for line in lines)
    assert name in AS_WRITTEN or all(line == line.lower() for line in lines)


def test_a_list_is_read_once() -> None:
    assert read_words("trades") is read_words("trades")
    assert "bauer" in read_words("trades")
