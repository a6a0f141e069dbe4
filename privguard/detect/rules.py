"""Everything that rules can decide: patterns, checksums, context words. No model, no network."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.accounts import find_accounts
from privguard.detect.assigned import find_assigned
from privguard.detect.code_words import without_code
from privguard.detect.columns import find_in_columns
from privguard.detect.contact import find_contacts
from privguard.detect.dates import find_ages, find_dates
from privguard.detect.devices import find_devices
from privguard.detect.id_shapes import find_id_shapes
from privguard.detect.idioms import without_idioms
from privguard.detect.machines import find_machines
from privguard.detect.people import find_announced, find_people
from privguard.detect.phones import REGIONS, PhoneFinder
from privguard.detect.places import find_addresses
from privguard.detect.prepared import Prepared
from privguard.detect.references import find_references
from privguard.detect.speakers import find_speakers
from privguard.detect.typed import find_as_typed, find_decoded

Finder = Callable[[Prepared], Iterable[Span]]


class RuleDetector:
    """Find what patterns and context words give away.

    Scores are confidences by construction: 0.95 and more for a verified checksum or an address that cannot be anything
    else, 0.7 to 0.9 for a shape with a context word, 0.5 to 0.7 for a shape alone. All that is returned is meant.
    """

    id = "rules-1"

    def __init__(self, *, regions: Sequence[str] = REGIONS, names: bool = True) -> None:
        """Compile everything once.

        Args:
            regions: where a telephone number without country code may come from, ISO 3166-1 alpha-2.
            names: whether names that have nothing but their form, and ages, are found too. A model that reads the text
                finds them more surely: beside one, only names that a title, a salutation or a field announces are left.
        """
        from privguard.detect.national import national_finder

        self._finders: tuple[Finder, ...] = (
            find_contacts,
            find_accounts,
            find_devices,
            find_machines,
            PhoneFinder(regions),
            national_finder(),
            find_id_shapes,
            find_references,
            find_dates,
            find_addresses,
            find_speakers,
            *((find_ages, find_people) if names else (find_announced,)),
        )

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        """Return the spans of each segment; they may overlap."""
        return tuple(self._found(segment.text) if segment.text else () for segment in segments)

    def _found(self, text: str) -> tuple[Span, ...]:
        return tuple(dict.fromkeys([*find_as_typed(text, self._find), *find_decoded(text, self._find)]))

    def _find(self, text: str) -> Iterator[Span]:
        view = Prepared(text=text)
        found = (span for finder in self._finders for span in finder(view))
        yield from without_idioms(text, without_code(text, found))
        # What a key announces is no code, whatever it looks like: `user=mia.brandt` in a log.
        yield from find_in_columns(text)
        yield from find_assigned(text)
