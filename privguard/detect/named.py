"""Full names that begin with a listed given name, wherever they stand: what the profile asks for by `names = "listed"`.

A network that reads the context takes a name for a public one where a question is one of general knowledge. A list
knows no context: it takes private people and famous ones alike.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import any_of
from privguard.detect.ordinary import is_name_too, is_ordinary
from privguard.detect.recasing import is_no_name, recase
from privguard.detect.typed import find_as_typed
from privguard.detect.word_lists import read_lines

SOURCE = "lists/names"
SCORE = 0.6
MOST = 5  # words of a name
_LISTS = ("given_names_female", "given_names_male", "given_names_world")
_SHORTEST = 3  # letters of a given name: without their accents, shorter ones are words of some language
_MARK = "'\u00b4\u02bc\u2018\u2019"
_SIGNS = "\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u200c"  # vowel signs and accents
_LETTERS = rf"[^\W\d_](?:[^\W\d_]|[{_SIGNS}])*"
# Whatever else touches a name, a path, markup, a sign or a number: two words side by side are no identifier.
_WORD = lazy_pattern(rf"(?<![^\W\d_]){_LETTERS}(?:[{_MARK}\u2010\u2011-]{_LETTERS})*")
_INITIALS = r"(?:[^\W\d_]\.[ \u00a0]?){1,3}"
_PARTICLE = (
    r"(?:von der|von dem|van der|van den|van de|de la|de las|de los|van 't|bin|bint|ibn|ben|abu|al|el|von|van|vom|zu|"
    r"zur|zum|af|av|de|du|des|da|das|do|dos|di|del|della|la|le|den|der|ter|ten|y|e|i) "
)
# A line that was broken for its length goes on behind what begins its lines: in a quotation, in a comment.
_BREAK = r"(?P<break>[ \t]*\r?\n[ \t>#/]{0,12})"
_GAP = lazy_pattern(
    rf"(?:[ \u00a0\v\f\x85\u2028\u2029]{{1,2}}|[\u00ad\u200b\u2060\ufeff]{{1,4}}|&nbsp;|%20|{_BREAK})"
    rf"(?:{_INITIALS})?(?:{_PARTICLE})?(?=[^\W\d_])"
)
_LINE = range(50, 100)  # letters of a line that may have been broken for its length
_NUMBERED = 4  # letters of a surname that a digit may follow: `GT500` and `B12` are none
# What follows a surname that names a place or a body, and not somebody; and what one is called by.
_PLACE = "(?:県|市|区|町|村|郡|駅|線|港|湖|湾|城|寺|藩|空港|神社|大学|高校|中学|小学|銀行|証券|通り|地方)"
_CALLED = "(?:さん|さま|氏|様|君|くん|ちゃん|先生|教授|医師|弁護士)"
_PARTICLE_OF_KOREAN = "(?:(?:씨|님)?(?:은|는|이|가|을|를|의|와|과|랑|이랑|도|야|아|에게|한테|께)|씨|님|군|양)"
_EAST_ASIAN = lazy_pattern("[\u4e00-\u9fff\uac00-\ud7a3]")
_POSSESSIVE = lazy_pattern(rf"[{_MARK}]s?\Z")


def find_listed(text: str) -> tuple[Span, ...]:
    """Find given names of the lists that a further name follows, in the letter case of names or where it tells nothing.

    Returns:
        Disjoint spans of whole names, in order.
    """
    spans: list[Span] = []
    for span in sorted(find_as_typed(text, _find), key=lambda span: (span.start, -span.end)):
        if not spans or span.start >= spans[-1].end:
            spans.append(span)
    return tuple(spans)


def _find(text: str) -> Iterator[Span]:
    found = dict.fromkeys(_places(text))
    if _EAST_ASIAN.search(text):
        found.update(dict.fromkeys(match.span() for match in _east_asian().finditer(text)))
    for offset, sentence in recase(text):
        found.update(dict.fromkeys((offset + start, offset + end) for start, end in _places(sentence, recased=True)))
    for start, end in found:
        yield Span(start=start, end=end, kind=EntityType.PERSON, score=SCORE, source=SOURCE)


def _places(text: str, *, recased: bool = False) -> Iterator[tuple[int, int]]:
    done = 0
    for match in _WORD.finditer(text):
        word = match.group()
        if match.start() < done or not is_given_name(word) or (recased and is_name_too(word)):
            continue
        # Where the letter case does not tell where a name ends, a single surname is taken.
        vague = recased or word.isupper() or not _has_case(word)
        if end := _surname_end(text, match.end(), most=1 if vague else MOST - 1):
            yield match.start(), end
            done = end


def _surname_end(text: str, at: int, *, most: int) -> int:
    """Return where the names end that follow a given name which ends at `at`; 0 where none follows."""
    end = 0
    for number in range(most):
        gap = _gap(text, at, may_break=not number)
        word = gap and _WORD.match(text, gap.end())
        if not word or not _may_be_surname(word.group()) or _is_code(text, word):
            break
        possessive = _POSSESSIVE.search(word.group())
        end = at = word.end() - (len(possessive.group()) if possessive else 0)
        if possessive:
            break
    return end


def _gap(text: str, at: int, *, may_break: bool) -> re.Match[str] | None:
    """Return what stands between a name that ends at `at` and the next one."""
    gap = _GAP.match(text, at)
    return None if gap and gap["break"] and not (may_break and _is_wrapped(text, gap)) else gap


def _is_wrapped(text: str, gap: re.Match[str]) -> bool:
    """Tell whether the line that ends here was broken for its length: it is long, and so is the next one."""
    start = text.rfind("\n", max(0, gap.start() - _LINE.stop), gap.start()) + 1
    end = text.find("\n", gap.end(), gap.end() + _LINE.stop)
    return gap.start() - start in _LINE and (end if end >= 0 else len(text)) - gap.end() in _LINE


def _is_code(text: str, word: re.Match[str]) -> bool:
    return len(word.group()) < _NUMBERED and text[word.end() : word.end() + 1].isdigit()


def is_given_name(word: str) -> bool:
    """Tell whether a capitalised word is a listed given name; of one with a hyphen the first part counts as well."""
    if not _is_cased(word):
        return False
    parts = re.split(r"[\u2010\u2011-]", word)
    return any(
        fold(each) in _given_names() or each.casefold() in _given_names() for each in {parts[0], "-".join(parts)}
    )


def _may_be_surname(word: str) -> bool:
    bare = _POSSESSIVE.sub("", word)
    if len(bare) == 1 or not _is_cased(bare):
        return False
    return is_name_too(bare) or not (is_ordinary(bare) or is_no_name(bare.lower()))


def _has_case(word: str) -> bool:
    return word[0].lower() != word[0].upper()


def _is_cased(word: str) -> bool:
    """Tell whether a word has a capital, or letters that have none."""
    return word[0].isupper() or not _has_case(word)


def fold(word: str) -> str:
    """Return a word in lower case, Latin letters without their accents."""
    lower = word.casefold().translate(_PLAIN)
    return "".join(sign for sign in unicodedata.normalize("NFD", lower) if not unicodedata.combining(sign))


_PLAIN = str.maketrans({"\u0131": "i", "\u0142": "l", "\u00f8": "o", "\u00e6": "ae", "\u0111": "d", "\u00f0": "d"})


@cache
def _east_asian() -> re.Pattern[str]:
    """Return what finds names that no space parts: of Japan, China and Korea."""
    one, two, signs, korean, first, second, syllables, words = read_lines("names_china_korea")
    # A given name of Japan ends where the particles begin, which are written in another script.
    behind = rf"[ \u3000]?(?:[\u3005\u4e00-\u9fff]{{1,3}}|[\u30a1-\u30f6]{{2,4}}|{any_of(syllables)})"
    return re.compile(
        rf"{any_of(*read_lines('surnames_japan'))}(?!{_PLACE})(?:(?={_CALLED})|{behind})"
        rf"|(?:[{one}][ \u3000]?[{signs}]{{2}}|{any_of(two)}[ \u3000]?[{signs}]{{1,2}})"
        rf"|(?<![\uac00-\ud7a3])(?!{any_of(words)})"
        rf"(?:[{korean}]|남궁|황보|제갈|선우)[{first}][{second}](?={_PARTICLE_OF_KOREAN}?(?![\uac00-\ud7a3]))"
    )


@cache
def _given_names() -> frozenset[str]:
    names = (name for lists in _LISTS for line in read_lines(lists) for name in line.replace(":", " ").split())
    return frozenset(
        fold(name) if len(name) >= _SHORTEST else name.casefold()
        for name in names
        if (len(name) >= _SHORTEST or not name.isascii()) and (is_name_too(name) or not is_ordinary(name))
    )
