from privguard.research.training import words


def test_lists_are_filled_and_hold_single_words() -> None:
    lists = (words.WORDS, words.FOREIGN_WORDS, words.TITLES, words.PARTS_OF_LINKS, words.STOP_WORDS, words.ENDINGS)
    for found in (*lists, words.PROVIDERS, words.SYLLABLES):
        assert len(found) > 10
        assert all(word == word.strip().lower() for word in found)
