"""Refuse requests that hold text which the shipped models cannot read, where the profile says so."""

from collections.abc import Sequence

from privguard.core.errors import UnknownContentError
from privguard.core.profile import Profile, Unread
from privguard.core.segments import Segment
from privguard.detect.lists import Allowed
from privguard.detect.unread import find_unread


def refuse_unread(segments: Sequence[Segment], profile: Profile) -> None:
    """Do nothing where all texts can be read, or the profile does not mind.

    Raises:
        UnknownContentError: a text cannot be read; the message says where.
    """
    if profile.unread is not Unread.REFUSE:
        return
    allowed = Allowed(profile.allow)
    for segment in segments:
        spans = [each for each in find_unread(segment.text) if segment.text[each.start : each.end] not in allowed]
        if spans:
            raise UnknownContentError(
                f"{segment.path}: {sum(each.end - each.start for each in spans)} of {len(segment.text)} characters, "
                f"the first at {spans[0].start}, are in scripts or words that the models cannot read; "
                'nothing was sent. unread = "hide" in the profile redacts them, "send" lets them leave'
            )
