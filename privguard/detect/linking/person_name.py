"""Read a mention of a person: the words of the name, without titles, case and word order."""

# ruff: noqa: RUF001 - words of other scripts

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from privguard.detect.found import listed
from privguard.detect.linking import east_asian, titles
from privguard.detect.linking.endings import spellings
from privguard.detect.linking.nicknames import look_up
from privguard.detect.linking.surfaces import MAX_LENGTH, Surface

_WORD = re.compile(r"[^\s,()\[\]{}<>\"\u201c-\u201f\u00ab\u00bb;:!?\u2026]+|,")
_NO_NAME = re.compile(r"[\d_@/\\#&+=*%$|~^]")
_BETWEEN_NAMES = listed("and und et og ja oraz и та ve και or oder ou")
_ROMANISED = re.compile(r"(?<=..)-(?:san|sama|kun|chan|sensei|ssi|nim|ji)$")
# The Latin possessive, and what Turkish writes behind an apostrophe.
_POSSESSIVE = re.compile(
    r"(?<=s)['\u2019\u02bc]$"
    r"|(?<=..)['\u2019\u02bc](?:s|n?[ıiuü]n|y?[aeıiuü]|[dt][ae]n?|n[dt][ae]n?|y?l[ae]|n[ae]|s[ıiuü])$"
)
_ARTICLE = re.compile(r"^(?:al|el|d|l)['\u2019-](?=..)")
_SMALL = listed("mr mrs ms dr pan pani pán paní don sr sra")  # titles of few letters that are written small
_FAMILY = listed("familie family famille familia famiglia família rodzina rodzinę rodina семья семьи")
_PLURAL = listed("the die den les los las de")  # before a surname that ends in s
_FAMILY_BEHIND = re.compile(r"\s*(?:family|familie|siblings|brothers|sisters|couple|household)\b", re.IGNORECASE)


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
    generation: str = ""  # junior, III
    apart: bool = False  # a family, a couple: never one person
    east_asian: bool = False

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
    folded = " ".join(text.casefold().split())
    return Name(words=(folded,), identity=folded, keys=(frozenset((folded,)),), rank=(0, 0), apart=True)


class Context(NamedTuple):
    """What the surroundings of a mention say about it."""

    titles: tuple[str, ...] = ()  # right before it
    is_family: bool = False
    has_plural_article: bool = False
    honorific: str = ""  # right behind a name in Han, Kana or Hangul


def read_context(surface: Surface) -> Context:
    """Read what stands around a mention; most often it is nothing."""
    nearest, *further = surface.before.split()[:-3:-1] or ("",) if surface.before[-1:].isspace() else ("",)
    found = _titles_before(nearest, *further) if nearest else ()
    word = nearest.lower()
    family = word in _FAMILY or (surface.after[:1].isspace() and _FAMILY_BEHIND.match(surface.after) is not None)
    behind = None if surface.after.isascii() else east_asian.HONORIFIC.match(surface.after)
    if found or family or behind or word in _PLURAL:
        return Context(found, family, word in _PLURAL, behind[0] if behind else "")
    return _NOTHING


_NOTHING = Context()
_SPECIAL = titles.TITLES | titles.PARTICLES | titles.TRAILING | titles.GENERATIONS | _BETWEEN_NAMES


def read_name(written: str, context: Context = _NOTHING) -> Name | None:
    """Return the name, None where no word of one is found, or words of more than one."""
    if len(written) > MAX_LENGTH:
        return None
    if not written.isascii() and east_asian.SCRIPTS.search(written):
        return _read_east_asian(written, context.honorific)
    if written.isascii() and (usual := _read_plain(written, context)):
        return usual
    text = written if written.isascii() else unicodedata.normalize("NFC", written)
    words = _reorder(_WORD.findall(text))
    if not words or _NO_NAME.search(text) or (len(words) > 2 and not _BETWEEN_NAMES.isdisjoint(text.lower().split())):
        return None
    lowered, found = _strip_titles([word.lower() for word in words])
    found += context.titles
    if not lowered[-1].isalpha():
        lowered[-1] = _bare(lowered[-1])
    while len(lowered) > 1 and lowered[-1].strip(".") in titles.TRAILING:
        lowered.pop()
    generation = lowered.pop().strip(".") if len(lowered) > 2 and lowered[-1].strip(".") in titles.GENERATIONS else ""
    plain = [word for word in map(_initials, lowered) if word]
    if not plain:
        return None
    small = words[len(words) - len(lowered) - bool(generation)][:1].islower()
    core = tuple(_without_particles(plain, small=small))
    return _build(core, " ".join([*plain, generation] if generation else plain), found, generation, context)


def _read_plain(written: str, context: Context) -> Name | None:
    """Read the usual name, two or three words with nothing to be taken away; None for any other."""
    words = written.lower().split()
    shouted = len(words) == 2 and written.lstrip()[:2].isupper()
    if shouted or len(words) > 3 or not "".join(words).isalpha() or not _SPECIAL.isdisjoint(words):
        return None
    return _build(tuple(words), " ".join(words), context.titles, "", context)


def _build(core: tuple[str, ...], identity: str, found: Sequence[str], generation: str, context: Context) -> Name:
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
        generation=titles.SAME_GENERATION.get(generation, generation),
        apart=" " not in identity and (context.is_family or (context.has_plural_article and identity.endswith("s"))),
    )


def _bare(word: str) -> str:
    """Return the last word of a name without possessive and honorific."""
    return _ROMANISED.sub("", _POSSESSIVE.sub("", word.replace("\u2019", "'").replace("\u02bc", "'")))


def _reorder(words: Sequence[str]) -> list[str]:
    """Put the surname last where a comma or capitals say that it stands first."""
    if "," in words:
        at = words.index(",")
        behind = [word for word in words[at + 1 :] if word != ","]
        names = [word for word in behind if word.lower().strip(".") not in titles.TRAILING | titles.GENERATIONS]
        return [*behind, *words[:at]] if names and at > 0 else [*words[:at], *behind]
    if len(words) == 2 and words[0].isupper() and len(words[0]) > 2 and words[0].isalpha() and not words[1].isupper():
        return [words[1], words[0]]
    return list(words)


def _strip_titles(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the words without the titles around them, and these."""
    found: list[str] = []
    at = 0
    while at < len(words) - 1 and (title := _title(words[at])):
        if title in titles.NAMES_TOO and at == len(words) - 2:
            break
        found.append(title)
        at += 1
    rest = words[at:]
    if len(rest) > 1 and _title(rest[-1]) in titles.TRAILING:
        found.append(_title(rest.pop()))
    return rest, found


def _titles_before(*words: str) -> tuple[str, ...]:
    """Return the titles among the words before a mention, the nearest first."""
    found: list[str] = []
    for word in words:
        if word == titles.MONSIEUR:
            return (*found, "monsieur")
        title = _title(word.lower().lstrip("(\"'\u201c\u201e\u00ab"))
        if not title or not (word.lower() != word or len(title) > 3 or title in _SMALL):
            break
        found.append(title)
    return tuple(found)


def _title(word: str) -> str:
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


def compatible(one: Name, other: Name) -> bool:
    """Tell whether two mentions can be of the same person, the one being a part or another writing of the other."""
    if one.apart != other.apart or one.east_asian != other.east_asian:
        return False
    if one.generation != other.generation and one.generation and other.generation:
        return False
    if one.sex and other.sex and one.sex != other.sex:
        return False
    short, long = (one, other) if one.rank <= other.rank else (other, one)
    if short.titled and short.sex == "m" and not short.is_full and not long.sex and long.is_like_a_womans:
        return False
    if one.east_asian:
        return east_asian.is_part(short.words[0], long.words[0])
    if len(short.words) > len(long.words):
        short, long = long, short
    return _fits(short, long)


def _fits(short: Name, long: Name) -> bool:
    if short.words == long.words:
        return True
    count, total = len(short.words), len(long.words)
    if count == 1 and total > 1:
        places = range(1, total) if short.titled else range(total)
        return len(short.words[0]) > 1 and any(_is_part(short, long, place) for place in places)
    if count == total:
        return _pairwise(short, long, 0, range(count)) and (count > 1 or short.keys[0] & long.keys[0] != frozenset())
    if _same(short, 0, long, 0):
        return _in_order(short, long)
    # Both surnames, without the given name.
    return not short.rows(0) and _pairwise(short, long, total - count, range(count))


def _is_part(short: Name, long: Name, place: int) -> bool:
    """Tell whether a single word is that word of a name; a given name in the middle may be somebody else's first."""
    middle = 0 < place < len(long.words) - 1
    return _same(short, 0, long, place) and not (middle and short.rows(0))


def _pairwise(short: Name, long: Name, shift: int, places: range) -> bool:
    whole = any(len(short.words[place]) > 1 and len(long.words[place + shift]) > 1 for place in places)
    return whole and all(_same(short, place, long, place + shift) for place in places)


def _in_order(short: Name, long: Name) -> bool:
    place = 1
    for number in range(1, len(short.words)):
        while place < len(long.words) and not _same(short, number, long, place):
            place += 1
        if place == len(long.words):
            return False
        place += 1
    return True


def _same(one: Name, at: int, other: Name, there: int) -> bool:
    """Tell whether two words can be the same; a pet form counts for given names alone."""
    first, second = one.words[at], other.words[there]
    if len(first) == 1 or len(second) == 1:
        return first[0] == second[0]
    if not one.keys[at].isdisjoint(other.keys[there]):
        return True
    if there == 0 and other.is_full and not one.rows(at).isdisjoint(other.rows(there)):
        return True
    # A genitive without apostrophe, where the given name vouches for it.
    return at > 0 and there > 0 and (first + "s" == second or second + "s" == first)
