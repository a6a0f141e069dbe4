"""The words that a spaCy pipeline knows as words of its language, taken from its lemmatizer."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

_ENDINGS = ("", "s", "es", "d", "ed", "r", "er", "est", "ing", "ly", "n", "en")
_TABLE = "lemma_index"


class Dictionary:
    """Tell ordinary words from others. Without a lemmatizer it knows none."""

    def __init__(self, pipeline: "Language | None") -> None:
        """Copy the words out of the pipeline's lemmatizer."""
        self._words: frozenset[str] = frozenset()
        if pipeline is None or "lemmatizer" not in pipeline.pipe_names:
            return
        lookups = pipeline.get_pipe("lemmatizer").lookups
        if lookups.has_table(_TABLE):
            table = lookups.get_table(_TABLE)
            self._words = frozenset(word for words in table.values() for word in words)

    def knows(self, word: str) -> bool:
        """Tell whether a lower-case word, or what is left without a common ending, is in the dictionary."""
        for ending in _ENDINGS:
            if word.endswith(ending):
                stem = word[: len(word) - len(ending)]
                doubled = stem[:-1] if len(stem) > 3 and stem[-1:] == stem[-2:-1] else stem
                if len(stem) > 2 and not self._words.isdisjoint((stem, stem + "e", doubled)):
                    return True
        return False
