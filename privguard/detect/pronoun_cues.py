"""The words that tell the pronoun of a person, by language: `words/pronoun_cues.txt`, read at its first use."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from privguard.core.placeholders import Pronoun
from privguard.detect.word_lists import read_lines

ANY = "*"


@dataclass(slots=True, kw_only=True)
class Cues:
    """The words of one language, in lower case."""

    titles: dict[str, Pronoun] = field(default_factory=dict)  # written with a capital
    small_titles: dict[str, Pronoun] = field(default_factory=dict)  # written with a capital or without
    kin: dict[str, Pronoun] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)  # what stands before kin: my, your
    pronouns: dict[str, Pronoun] = field(default_factory=dict)  # that stand for people only
    with_verb: dict[tuple[str, str], Pronoun] = field(default_factory=dict)  # with the verb behind it
    subjects: dict[tuple[str, str], Pronoun] = field(default_factory=dict)  # likewise, at the beginning of a sentence
    others: set[str] = field(default_factory=set)  # somebody else of whom a pronoun may speak
    articles: set[str] = field(default_factory=set)  # behind which it is no one else
    common: set[str] = field(default_factory=set)  # words that tell the language


@cache
def read_cues() -> Mapping[str, Cues]:
    """Return the cues of each language; those of all of them are under `ANY`."""
    found: dict[str, Cues] = {ANY: Cues()}
    for line in read_lines("pronoun_cues"):
        head, _, words = line.partition(":")
        *kind, language, last = head.split()
        if last in tuple(Pronoun):
            _add(found.setdefault(language, Cues()), " ".join(kind), Pronoun(last), words.split())
        else:
            _add_plain(found.setdefault(last, Cues()), language, words.split())
    for cues in found.values():
        cues.others |= cues.kin.keys()
    return found


def _add(cues: Cues, kind: str, pronoun: Pronoun, words: Sequence[str]) -> None:
    if kind in ("with", "subject"):
        pairs = cues.with_verb if kind == "with" else cues.subjects
        pairs |= {(words[0], verb): pronoun for verb in words[1:]}
        return
    by_kind = {"title": cues.titles, "small title": cues.small_titles, "kin": cues.kin, "pronoun": cues.pronouns}
    by_kind[kind].update(dict.fromkeys(words, pronoun))


def _add_plain(cues: Cues, kind: str, words: Iterable[str]) -> None:
    by_kind = {"own": cues.own, "other": cues.others, "article": cues.articles, "language": cues.common}
    by_kind[kind].update(words)
