"""Read a mention of a person: the words of the name, without titles, case and word order."""

# ruff: noqa: RUF001 - words of other scripts

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from privguard.core.letters import one_spaced, straight
from privguard.core.patterns import lazy_pattern
from privguard.detect.found import listed
from privguard.detect.linking import east_asian, generations, titles
from privguard.detect.linking.endings import spellings
from privguard.detect.linking.nicknames import look_up
from privguard.detect.linking.offices import office_of
from privguard.detect.linking.surfaces import MAX_LENGTH, Surface

_WORD = lazy_pattern(r"[^\s,()\[\]{}<>\"\u201c-\u201f\u00ab\u00bb;:!?\u2026]+|,")
_HYPHEN = lazy_pattern(r"[-\u2010-\u2013]")
_NO_NAME = lazy_pattern(r"[\d_@/\\#&+=*%$|~^]")
_BETWEEN_NAMES = listed("and und et og ja oraz и та ve και or oder ou")
_ROMANISED = lazy_pattern(r"(?<=..)-(?:san|sama|kun|chan|sensei|ssi|nim|ji)$")
# The Latin possessive, and what Turkish writes behind an apostrophe.
_POSSESSIVE = lazy_pattern(
    r"(?<=s)'$"
    r"|(?<=..)'(?:s|n?[ıiuü]n|y?[aeıiuü]|[dt][ae]n?|n[dt][ae]n?|y?l[ae]|n[ae]|s[ıiuü])$"
)
_ARTICLE = lazy_pattern(r"^(?:al|el|d|l)['\u2019-](?=..)")
_SMALL = listed("mr mrs ms dr pan pani pán paní don sr sra")  # titles of few letters that are written small
_FAMILY = listed("familie family famille familia famiglia família rodzina rodzinę rodina семья семьи")
_PLURAL = listed("the die den les los las de")  # before a surname that ends in s
# A noun behind a genitive, also with an adjective before it: "Reiks Auto", "Reiks neues Auto".
_NOUN_BEHIND = lazy_pattern(r"[ \u00a0](?:[a-zäöüß]{2,}e[nrs]? )?[A-ZÄÖÜ][a-zäöüß]{2,}(?![\w:])")
_FAMILY_BEHIND = lazy_pattern(r"\s*(?:family|familie|siblings|brothers|sisters|couple|household)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Name:
    """The words of a name in the order given name, surname. Compared by identity: it is read once."""

    words: tuple[str, ...] = field(repr=False)  # lower case, without titles, particles and possessives
    identity: str = field(repr=False)  # the whole name in lower case, without titles: what an id is derived from
    keys: tuple[frozenset[str], ...] = field(repr=False)  # for each word the forms under which it is compared
    rank: tuple[int, int]  # how much of a name this is: whole words, words
    gender: str = ""  # as a title tells it: "m", "f" or ""
    sex: str = ""  # as the title tells it, or else the given name
    titled: bool = False  # by a title that stands before a surname
    titles: frozenset[str] = frozenset()  # all of them, without full stops
    office: str = ""  # as a title tells it: "court", "bar"
    generation: str = ""  # "sr", "jr", "iii"
    is_genitive: bool = False  # an s at the end may be one by the noun that follows: "Johnny Reiks Auto"
    apart: bool = False  # a family, a couple: never one person
    east_asian: bool = False
    parts: tuple[str, ...] = field(init=False, repr=False)  # the words, and apart what a hyphen joins

    def __post_init__(self) -> None:
        """Part the words at their hyphens."""
        joined = any(not word.isalpha() for word in self.words)
        parts = tuple([part for word in self.words for part in _HYPHEN.split(word) if part]) if joined else self.words
        object.__setattr__(self, "parts", parts)

    @property
    def is_full(self) -> bool:
        """Tell whether given name and surname are there, in full or as an initial."""
        return len(self.words) > 1

    @property
    def is_like_a_womans(self) -> bool:
        """Tell whether the given name ends as most given names of women do in Europe."""
        first = min(self.keys[0])
        return self.is_full and first.endswith(("a", "а")) and first not in titles.MALE_IN_A

    def rows(self, place: int) -> set[str]:
        """Return the full given names that a word may stand for."""
        return {row for key in self.keys[place] for row in look_up(key).rows}


def whole_text(text: str) -> Name:
    """Return the name of a mention that cannot be read: it is the same as an equal text, and as nothing else."""
    folded = one_spaced(text.casefold())
    return Name(words=(folded,), identity=folded, keys=(frozenset((folded,)),), rank=(0, 0), apart=True)


class Context(NamedTuple):
    """What the surroundings of a mention say about it."""

    titles: tuple[str, ...] = ()  # right before it
    is_family: bool = False
    has_plural_article: bool = False
    honorific: str = ""  # right behind a name in Han, Kana or Hangul
    generation: str = ""  # of a word right behind it
    before_noun: bool = False  # whether it ends in an s, and a noun of German follows


def read_context(surface: Surface) -> Context:
    """Read what stands around a mention; most often it is nothing."""
    nearest, *further = surface.before.split()[:-3:-1] or ("",) if surface.before[-1:].isspace() else ("",)
    found = _titles_before(nearest, *further) if nearest else ()
    word = nearest.lower()
    family = word in _FAMILY or (surface.after[:1].isspace() and _FAMILY_BEHIND.match(surface.after) is not None)
    behind = None if surface.after.isascii() else east_asian.HONORIFIC.match(surface.after)
    generation = generations.generation_after(surface.after)
    noun = surface.text[-1:] == "s" and _NOUN_BEHIND.match(surface.after) is not None
    if found or family or behind or generation or noun or word in _PLURAL:
        return Context(found, family, word in _PLURAL, behind[0] if behind else "", generation, noun)
    return _NOTHING


_NOTHING = Context()
_SPECIAL = titles.TITLES | titles.PARTICLES | titles.TRAILING | generations.WORDS | _BETWEEN_NAMES


def read_name(written: str, context: Context = _NOTHING) -> Name | None:
    """Return the name, None where no word of one is found, or words of more than one."""
    if len(written) > MAX_LENGTH:
        return None
    if not written.isascii() and east_asian.SCRIPTS.search(written):
        return _read_east_asian(written, context.honorific)
    if written.isascii() and (usual := _read_plain(written, context)):
        return usual
    text, told = generations.part_generation(straight(unicodedata.normalize("NFC", written)))
    words = _reorder(_WORD.findall(text))
    if not words or _NO_NAME.search(text) or (len(words) > 2 and not _BETWEEN_NAMES.isdisjoint(text.lower().split())):
        return None
    lowered, found = _strip_titles([word.lower() for word in words])
    found += context.titles
    small = next(word for word in words if word.lower() == lowered[0])[:1].islower()
    if not lowered[-1].isalpha():
        lowered[-1] = _bare(lowered[-1])
    while len(lowered) > 1 and lowered[-1].strip(".") in titles.TRAILING:
        lowered.pop()
    if len(lowered) > 2 and (before := generations.part_generation(" ".join(lowered))).generation:
        lowered, told = before.name.split(), told or before.generation
    plain = [word for word in map(_initials, lowered) if word]
    if not plain:
        return None
    core = tuple(_without_particles(plain, small=small))
    return _build(core, " ".join(plain), found, context, told)


def _read_plain(written: str, context: Context) -> Name | None:
    """Read the usual name, two or three words with nothing to be taken away; None for any other."""
    words = written.lower().split()
    shouted = len(words) == 2 and written.lstrip()[:2].isupper()
    if shouted or len(words) > 3 or not "".join(words).isalpha() or not _SPECIAL.isdisjoint(words):
        return None
    return _build(tuple(words), " ".join(words), context.titles, context)


def _build(core: tuple[str, ...], plain: str, found: Sequence[str], context: Context, told: str = "") -> Name:
    generation = told or context.generation
    identity = f"{plain} {generation}" if generation else plain
    keys = tuple([frozenset(spellings(word)) for word in core])
    gender = _gender(found) if found else ""
    return Name(
        words=core,
        identity=identity,
        keys=keys,
        rank=(sum([len(word) > 1 for word in core]), len(core)),
        gender=gender,
        sex=gender or (look_up(min(keys[0])).gender if len(core) > 1 else ""),
        titled=bool(found) and not any(word in titles.BEFORE_GIVEN for word in found),
        titles=frozenset(found),
        office=office_of(found),
        generation=generation,
        is_genitive=context.before_noun and core[-1].endswith("s"),
        apart=" " not in plain and (context.is_family or (context.has_plural_article and plain.endswith("s"))),
    )


def _bare(word: str) -> str:
    """Return the last word of a name without possessive and honorific."""
    return _ROMANISED.sub("", _POSSESSIVE.sub("", word))


def _reorder(words: Sequence[str]) -> list[str]:
    """Put the surname last where a comma or capitals say that it stands first."""
    if "," in words:
        at = words.index(",")
        behind = [word for word in words[at + 1 :] if word != ","]
        names = [word for word in behind if word.lower().strip(".") not in titles.TRAILING | generations.WORDS]
        return [*behind, *words[:at]] if names and at > 0 else [*words[:at], *behind]
    if len(words) == 2 and words[0].isupper() and len(words[0]) > 2 and words[0].isalpha() and not words[1].isupper():
        return [words[1], words[0]]
    return list(words)


def _strip_titles(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the words without the titles around them, and these."""
    found: list[str] = []
    at = 0
    while at < len(words) - 1 and (title := title_of(words[at])):
        if title in titles.NAMES_TOO and at == len(words) - 2:
            break
        found.append(title)
        at += 1
    rest = words[at:]
    if len(rest) > 1 and title_of(rest[-1]) in titles.TRAILING:
        found.append(title_of(rest.pop()))
    return rest, found


def _titles_before(*words: str) -> tuple[str, ...]:
    """Return the titles among the words before a mention, the nearest first."""
    found: list[str] = []
    for word in words:
        if word == titles.MONSIEUR:
            return (*found, "monsieur")
        title = title_of(word.lower().lstrip("(\"'\u201c\u201e\u00ab"))
        if not title or not (word.lower() != word or len(title) > 3 or title in _SMALL):
            break
        found.append(title)
    return tuple(found)


def title_of(word: str) -> str:
    """Return the title that a word in lower case is, without its full stop; "" where it is none."""
    if word in titles.TITLES:
        return word
    bare = word.strip(".")
    return bare if bare in titles.TITLES else ""


def _gender(found: Sequence[str]) -> str:
    male = any(word in titles.MALE for word in found)
    female = any(word in titles.FEMALE for word in found)
    return "m" if male and not female else "f" if female and not male else ""


def _initials(word: str) -> str:
    if word.isalpha():
        return word
    bare = word.strip(".-'\u2018")
    if len(bare) > 1 and all(len(part) == 1 for part in bare.replace("-", ".").split(".") if part):
        return bare[0]  # J.R. or J.-P.: the first one tells
    return bare


def _without_particles(words: Sequence[str], *, small: bool) -> list[str]:
    """Drop particles behind the first word, and in front where they are written small or are several."""
    leading = 0
    while leading < len(words) - 1 and words[leading] in titles.PARTICLES:
        leading += 1
    if leading == 1 and not small:
        leading = 0  # Van and Al are given names as well
    first, *others = words[leading:]
    return [_ARTICLE.sub("", word) for word in (first, *(word for word in others if word not in titles.PARTICLES))]


def _read_east_asian(written: str, behind: str) -> Name | None:
    text, gender = east_asian.without_honorific(written, behind)
    if not text:
        return None
    key = (frozenset((text,)),)
    return Name(words=(text,), identity=text, keys=key, rank=(len(text), 1), gender=gender, sex=gender, east_asian=True)
