"""Titles that tell an office: somebody is not attorney and judge at once, while "Dr" and "Prof" go with any of them."""

from collections.abc import Iterable

from privguard.detect.found import listed

_HOLDERS = {
    "court": listed("judge justice magistrate"),
    "bar": listed("attorney solicitor barrister counsel avv avvocato maitre maître"),
    # Of one group, since one follows the other in many a life: a general is elected president.
    "state": listed(
        "officer detective inspector constable sheriff sgt sergeant lt lieutenant capt captain col colonel maj major "
        "gen general president senator rep gov governor mayor minister ambassador councillor"
    ),
    "church": listed("rev reverend pastor rabbi imam"),
    "care": listed("nurse"),
}
_OFFICES = {title: office for office, holders in _HOLDERS.items() for title in holders}


def office_of(titles: Iterable[str]) -> str:
    """Return the office that the titles of a mention tell, "" where they tell none or more than one."""
    found = {_OFFICES[title] for title in titles if title in _OFFICES}
    return found.pop() if len(found) == 1 else ""
