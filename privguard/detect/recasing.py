"""Put the letter case right where it tells nothing: all lower, all upper, or both, but no word as names are written."""

import re

from privguard.detect.found import listed

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?\n]*")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_TOKEN_PART = re.compile(r"[\w@/\\.:=#&$%+*{}<>\[\]-]")
# Words that start or follow names often, or are no names at all: they keep their lower case.
COMMON = listed(
    "a an the and or but nor so yet if then else when while as at by for from in into of off on onto out over to up "
    "with "
    "without within about after again against all almost along already also although always am among any anybody "
    "anyone "
    "anything are aren't around ask asked away back be because been before being below between both bring but buy by "
    "bye "
    "call called can can't cannot come could couldn't day days did didn't do does doesn't doing don't done down "
    "during each "
    "early either email enough even ever every everyone everything feel few find first follow found friend friends "
    "get gets getting give go goes going gone good got had has hasn't have haven't having he he's hello help her here "
    "hers hey "
    "hi him his how however i i'd i'll i'm i've im if in into is isn't it it's its just keep know last later least "
    "leave let "
    "let's like live lives living long look looking lot love made make many may maybe me mean meet meeting met might "
    "mine more "
    "most much must my name need needs never new next no nobody none not nothing now of off often oh ok okay old on "
    "once one "
    "only open other our out over own people person please put quite rather read really right said same saw say says "
    "see seem "
    "send sent she she's should show since some someone something soon sorry still such sure take talk tell than "
    "thank thanks "
    "that that's the their them then there there's these they they're thing things think this those though through "
    "time to "
    "today together told tomorrow tonight too took try trying turn two under until up us use used using very wait "
    "walk want "
    "wants was wasn't way we we're week weeks well went were weren't what what's when where which who who's whole why "
    "will "
    "wish with won't work works would wouldn't write wrote yeah year years yes yesterday yet you you're your yours "
    "list play music song songs alarm set remind reminder weather book table find restaurant city near movie movies "
    "event "
    "ticket tickets hotel flight bus train car house room street road number phone address date monday tuesday "
    "wednesday thursday "
    "friday saturday sunday january february march april june july august september october november december "
    "mom dad mum brother sister mother father son daughter wife husband boss doctor dr mr mrs ms miss sir madam "
    "teacher "
    "ich bin ist und der die das ein eine mit von zu für auf nicht wie was wo heute morgen heiße mein meine je suis "
    "et le la les un une "
    "est pour avec dans mon ma soy es y el los con por mi yo sono il e di che per mio ik ben en de het een van eu sou "
    "o um"
)


def recase(text: str) -> tuple[tuple[int, str], ...]:
    """Return the sentences in which names had to be cased as names, with their offsets, letter for letter as long.

    Only English sentences without a single word in title case are touched: their letter case carries no information.
    """
    return tuple(
        (match.start(), other)
        for match in _SENTENCE.finditer(text)
        if (other := _recase_sentence(match.group())) != match.group()
    )


def _recase_sentence(sentence: str) -> str:
    words = [match for match in _WORD.finditer(sentence) if not _is_code(sentence, match)]
    if len(words) < 2 or any(_is_title(match.group()) for match in words):
        return sentence
    known = sum(match.group().lower() in COMMON for match in words)
    if known * 5 < len(words) and len(words) > 3:
        return sentence
    letters = list(sentence)
    for match in words:
        word = match.group()
        if word.lower() in COMMON:
            cased = word.lower()
        elif word.isupper() or word.islower():
            cased = _capitalise(word)
        else:
            continue
        if len(cased) == len(word):
            letters[match.start() : match.end()] = cased
    return "".join(letters)


def _is_code(sentence: str, match: re.Match[str]) -> bool:
    before, after = sentence[match.start() - 1 : match.start()], sentence[match.end() : match.end() + 2]
    glued = bool(before and _TOKEN_PART.match(before))
    return glued or bool(after and _TOKEN_PART.match(after) and not re.match(r"[.:](?:\s|$)|-$", after + " "))


def _is_title(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and word[1:].islower()


def _capitalise(word: str) -> str:
    """Capitalise each part of a compound, but not a possessive `s`."""
    parts = re.split(r"([-'\u2019])", word.lower())
    return "".join(
        part[:1].upper() + part[1:] if (number == 0 or len(part) > 1) and len(part[:1].upper()) == 1 else part
        for number, part in enumerate(parts)
    )
