"""Keys and tokens whose form their issuers publish: a beginning of its own, an alphabet, a length.

The form is certain, so that no guess of another type wins over it. `detect-secrets` has some of them; the rest is the
list `key_forms`, and below what has its mark in its midst or at no place.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.prepared import Prepared, places_of
from privguard.detect.word_lists import read_lines

Interval: TypeAlias = tuple[int, int]  # half-open, in code points

_SCORE = 0.95
# Words that only look like a key: `pa-this-is-how-to-…`, `hvs.xxxxxxxx…`. None that is drawn at random is.
_WORDS = lazy_pattern(r"[A-Za-z]{0,8}[-_.]?(?:[a-z]+(?:[-_.][a-z]+)*|([A-Za-z0-9])\1+|[A-Z]+(?:[-_][A-Z]+)*)")
# By a mark in their midst, and how many characters may stand before it.
_MARKED: Mapping[str, tuple[int, re.Pattern[str]]] = {
    mark: (lead, lazy_pattern(rf"(?<![A-Za-z0-9]){form}(?![A-Za-z0-9])", re.ASCII))
    for mark, lead, form in (
        ("Q~", 4, r"[\w~.-]{3}\dQ~[\w~.-]{28,40}"),  # client secrets of Microsoft Entra
        ("AZDO", 80, r"[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}"),
        ("+ASt", 80, r"[A-Za-z0-9+/]{70,80}\+ASt[A-Za-z0-9+/]{5,8}={0,2}"),  # storage accounts of Azure
        (".atlasv1.", 16, r"[A-Za-z0-9]{12,16}\.atlasv1\.[\w=-]{50,80}"),  # Terraform
        ("A3-", 0, r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),  # 1Password
        ("_mmk", 38, r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),  # MaxMind
        ("jsn", 40, r"[0-9a-z]{10}msh[0-9a-z]{15}p1[0-9a-z]{6}jsn[0-9a-z]{12}"),  # RapidAPI
    )
}
_LONGEST_REST = 100  # behind a mark
_LONG = lazy_pattern(r"\w{8,}", re.ASCII)  # each form has such a word of digits and letters, or a longer one of letters
_LEAST_WORD = 20
_LONGEST_BEGINNING = 32
_LONGEST_LEAD = 80  # before the last such word of a form
_DISCORD = lazy_pattern(r"(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])", re.ASCII)
_DISCORD_SIGN = lazy_pattern(r"\.[\w-]{6}\.(?=[\w-]{27})", re.ASCII)
_LONGEST_ID = 28  # before it
_BASE58 = "[1-9A-HJ-NP-Za-km-z]"
# Without any mark but their length: private keys of Bitcoin (WIF), such keys under a pass phrase, seeds of Stellar and
# NATS.
_SEEDS = lazy_pattern(
    rf"(?<![A-Za-z0-9])(?:[59]{_BASE58}{{50}}|[KLc]{_BASE58}{{51}}|6P{_BASE58}{{56}}|S[A-Z2-7]{{55,57}})"
)
_SHORTEST_SEED = 51
_SEED_END = lazy_pattern(r"(?![A-Za-z0-9])")
# Secrets of authenticators as they are shown, in groups of four of base 32.
_GROUPS = lazy_pattern(r"(?<![\w-])(?:[a-z2-7]{4}(?: [a-z2-7]{4}){5,15}|[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){5,15})(?![\w-])")
_GROUPS_SIGN = lazy_pattern(r"[2-7][A-Za-z2-7]{0,3}(?:[ -][A-Za-z2-7]{4}){3}")
_MIXED = lazy_pattern(r"(?=\w{0,3}\d)(?=\w{0,3}[A-Za-z])\w{4}")
_LEAST_MIXED = 3  # groups that hold both digits and letters


def find_published(view: Prepared) -> Iterator[Span]:
    """Find keys and tokens by their published forms, each as a whole."""
    text, forms = view.text, _forms()
    words = list(_long_words(text))
    for low, high in _windows(words):
        for start in forms.beginnings.finditer(text, low, min(len(text), high + _LONGEST_BEGINNING)):
            match = forms.wholes[start.group()].match(text, start.start()) if start.start() < high else None
            if match and not _WORDS.fullmatch(match.group()):
                yield _span(match, "published")
    for mark, (lead, form) in _MARKED.items():
        for place in places_of(text, mark) if mark in text else ():
            match = form.search(text, max(0, place - lead), min(len(text), place + _LONGEST_REST))
            if match and not _WORDS.fullmatch(match.group()):
                yield _span(match, "published")
    for sign in _DISCORD_SIGN.finditer(text):
        match = _DISCORD.search(text, max(0, sign.start() - _LONGEST_ID), sign.end() + _LONGEST_REST)
        if match:
            yield _span(match, "published")
    yield from _seeds(text, words)


def _windows(words: Iterable[Interval]) -> Iterator[Interval]:
    """Yield where a key can begin: shortly before a long word, or within it. They are disjoint and in order."""
    done = 0
    for start, end in words:
        low = max(done, start - _LONGEST_LEAD)
        done = end
        yield low, done


def _long_words(text: str) -> Iterator[Interval]:
    for match in _LONG.finditer(text):
        word = match.group()
        if len(word) >= _LEAST_WORD or not (word.isalpha() or word.isdecimal()):
            yield match.span()


def _seeds(text: str, words: Iterable[Interval]) -> Iterator[Span]:
    for start, end in words:
        for match in _SEEDS.finditer(text, start, end) if end - start >= _SHORTEST_SEED else ():
            if _SEED_END.match(text, match.end()) and any(map(str.isdecimal, match.group())):
                yield _span(match, "seed")
    for match in _GROUPS.finditer(text) if _GROUPS_SIGN.search(text) else ():
        if sum(map(bool, map(_MIXED.fullmatch, re.split("[ -]", match.group())))) >= _LEAST_MIXED:
            yield _span(match, "authenticator")


class _Forms(NamedTuple):
    beginnings: re.Pattern[str]
    wholes: Mapping[str, re.Pattern[str]]  # by the beginning


@cache
def _forms() -> _Forms:
    rests = {beginning: rest for beginning, _, rest in (line.partition(" ") for line in read_lines("key_forms"))}
    either = "|".join(map(re.escape, sorted(rests, key=len, reverse=True)))
    return _Forms(
        beginnings=re.compile(f"(?<![A-Za-z0-9])(?:{either})"),
        wholes={
            beginning: lazy_pattern(rf"{re.escape(beginning)}(?:{rest})(?![A-Za-z0-9])", re.ASCII)
            for beginning, rest in rests.items()
        },
    )


def _span(match: re.Match[str], rule: str) -> Span:
    return Span(start=match.start(), end=match.end(), kind=EntityType.SECRET, score=_SCORE, source=f"secrets/{rule}")
