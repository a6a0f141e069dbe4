"""Look at what stands beside the content and leaves as it is or not at all: a header, a parameter, an id."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from privguard.core.entities import EntityType
from privguard.core.segments import Channel, Role, Segment
from privguard.core.spans import Span
from privguard.detect.keyed import as_name, behind, is_about_person, lead_of, led, names_person
from privguard.guard.finding import Findings

# What must not stand there, whoever put it there. Names are left out where there is neither white space nor a key that
# announces one: model and tool names look like people to a name detector.
_IDENTIFYING = frozenset(
    {
        EntityType.EMAIL,
        EntityType.PHONE,
        EntityType.ADDRESS,
        EntityType.GOV_ID,
        EntityType.FIN_ACCOUNT,
        EntityType.SECRET,
    }
)
_NAMING = _IDENTIFYING | {EntityType.PERSON}


class Look(Protocol):
    """Find what is in a text: with the model where it is prose, else by rules."""

    def __call__(self, segment: Segment, *, is_prose: bool) -> Findings:
        """Return what is found in one segment."""
        ...


def is_sensitive(text: str, key: str, look: Look) -> bool:
    """Tell whether a text holds something that identifies or opens something.

    Args:
        text: what is to be sent.
        key: the name that it is sent under; "" for none, or for one that tells nothing of it.
        look: finds what is in it. Under its key it is read by rules alone.
    """
    is_prose = any(letter.isspace() for letter in text)
    segment = Segment(path="scan", role=Role.OTHER, channel=Channel.TEXT, text=text, key=key)
    found = look(replace(segment, key=""), is_prose=is_prose)
    wanted = _NAMING if is_prose else _IDENTIFYING
    if any(found.denied[0]) or any(span.kind in wanted for span in found.spans[0]):
        return True
    lead = lead_of(segment, ())
    wanted = _NAMING if is_about_person(lead.rstrip(": ")) else _IDENTIFYING
    return any(span.kind in wanted for span in _behind(lead, segment, look)) if lead else False


def _behind(lead: str, segment: Segment, look: Look) -> Iterator[Span]:
    """Yield what is found in a text behind its key, which may announce a name in lower case."""
    readings = (segment.text, as_name(segment.text)) if names_person(lead.rstrip(": ")) else (segment.text,)
    for reading in dict.fromkeys(readings):
        keyed = replace(segment, text=led(lead, reading), key="")
        yield from behind(lead, look(keyed, is_prose=False).spans[0])
