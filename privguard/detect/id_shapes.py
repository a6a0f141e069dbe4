"""Identity numbers whose form gives them away, whatever their check digits say: people mistype and invent numbers."""

import string
from collections.abc import Iterator

from privguard.core.entities import EntityType
from privguard.core.patterns import lazy_pattern
from privguard.core.spans import Span
from privguard.detect.found import take
from privguard.detect.prepared import Prepared, match_at

_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
_END = r"(?!\w|[./-]\w)"
# Each begins with a digit.
_NUMBERS = lazy_pattern(
    r"(?<![\w.,/+-])(?:"
    r"784-(?:19|20)\d{2}-\d{7}-\d"  # United Arab Emirates
    rf"|[1-9]\d{{5}}(?:19|20)\d{{2}}{_MONTH}{_DAY}\d{{3}}[\dXx]"  # China
    rf"|\d{{2}}{_MONTH}{_DAY}-[1-8]\d{{6}}"  # South Korea
    rf"|\d{{2}}(?:{_MONTH}|5[1-9]|6[0-2]){_DAY}/\d{{3,4}}"  # Czechia, Slovakia
    r"|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}"  # Brazil
    r"|\d{1,2}\.\d{3}\.\d{3}-[\dkK]"  # Chile
    rf"|\d{{2}}\.{_MONTH}\.{_DAY}-\d{{3}}\.\d{{2}}"  # Belgium
    r"|756\.\d{4}\.\d{4}\.\d{2}"  # Switzerland
    r"|\d{3}-\d{2}-\d{4}"  # United States
    rf"|[12] \d{{2}} {_MONTH} \d[\dAB] \d{{3}} \d{{3}}(?: \d{{2}})?"  # France
    rf"|(?!(?:19|20)\d{{2}}{_MONTH}{_DAY})\d{{8}}[A-Z]"  # Spain
    rf"){_END}"
)
# Each begins with a letter.
_CODES = lazy_pattern(
    r"(?<![\w/.+-])(?:"
    r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]"  # Italy
    r"|[XYZ]\d{7}-?[A-Z]"  # foreigners in Spain
    r"|[A-Z9]{5} \d{6} [A-Z9]{1,2}[A-Z\d]\d?[A-Z]{2}(?: \d{2})?"  # driving licences of Great Britain
    r"|[A-Z]{2} \d{2} \d{2} \d{2} [A-Z]"  # national insurance there
    rf"){_END}"
)
_MASKED = lazy_pattern(r"[xX*•](?<![\w*].)[xX*•]{2}-[xX*•]{2}-\d{4}(?!\w)")  # all but the last digits blacked out
_CAPITALS = frozenset(f"{string.ascii_uppercase}9")
_LEADS = (3, 6)  # letters and a space before the first number of a code


def find_id_shapes(view: Prepared) -> Iterator[Span]:
    """Find identity numbers by their form alone."""
    text = view.text
    numbers = match_at(_NUMBERS, text, _number_starts(view))
    yield from take(numbers, EntityType.GOV_ID, 0.6, "rules/identity-shape")
    codes = match_at(_CODES, text, _code_starts(view))
    yield from take(codes, EntityType.GOV_ID, 0.6, "rules/identity-shape")
    yield from take(_MASKED.finditer(text), EntityType.GOV_ID, 0.7, "rules/identity-masked")


def _number_starts(view: Prepared) -> Iterator[int]:
    """Yield the numbers that one of the separators follows, or that are as long as one without any."""
    for start, end in view.numbers:
        after = view.text[end : end + 1]
        if after in {"-", ".", "/"} or (after == " " and end - start == 1) or end - start in {8, 17, 18}:
            yield start


def _code_starts(view: Prepared) -> list[int]:
    text = view.text
    starts = {start for start, _ in view.codes}
    for start, _ in view.numbers:
        starts.update(start - lead for lead in _LEADS if start >= lead and text[start - lead] in _CAPITALS)
    return sorted(starts)
