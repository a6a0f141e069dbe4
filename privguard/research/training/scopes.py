"""Which entity types each source annotates: the loss and the scores keep within them."""

from privguard.core.entities import EntityType

ALL = frozenset(EntityType)
# Of a masked span without a type we know only that something stands there.
UNTYPED = "UNTYPED_MASK"
# The source of texts that nobody labelled.
UNLABELLED = "unlabelled"
# The source of questions that concern nobody: they have no span.
QUESTIONS = "questions"
# The source of questions about people, of public life and invented.
ASKED = "asked"


def _kinds(names: str) -> frozenset[EntityType]:
    return frozenset(EntityType(name) for name in names.split())


_NAMES = _kinds("PERSON LOCATION ORGANIZATION")
_COURT = _kinds("PERSON LOCATION ORGANIZATION DATE RECORD_ID ORIGIN")

SCOPES = {
    UNLABELLED: frozenset(),
    "authored": ALL,
    "generated": ALL,
    "written": ALL,
    QUESTIONS: ALL,
    ASKED: ALL,
    "btc": _NAMES,
    "uner_ewt": _NAMES,
    "wnut17": _NAMES,
    "sec": _kinds("LOCATION ORGANIZATION"),
    "wikigold": _NAMES,
    "ctxanon": _kinds("PERSON DATE EMAIL ADDRESS PHONE RECORD_ID FIN_ACCOUNT GOV_ID ORGANIZATION"),
    "lifebench": _kinds("PERSON ORGANIZATION LOCATION PHONE RECORD_ID EMAIL"),
    "meddocan": _kinds("PERSON LOCATION ADDRESS RECORD_ID DATE AGE EMAIL PHONE ORGANIZATION"),
    "nlu": _kinds("PERSON LOCATION DATE EMAIL"),
    "presidio_generated_large": _kinds("PERSON ADDRESS FIN_ACCOUNT PHONE EMAIL GOV_ID DEVICE_ID URL"),
    "presidio_synth_dataset_v2": _kinds("PERSON ADDRESS FIN_ACCOUNT PHONE EMAIL GOV_ID DEVICE_ID URL"),
    "sgd": _kinds("LOCATION PERSON"),
    "tab": _COURT,
    "tab_strings": _COURT,
    "pupa": _kinds("PERSON EMAIL PHONE"),
    "ambientmeta": _NAMES,
    "minimization": _kinds("PERSON LOCATION AGE"),
}


def scope_of(source: str) -> frozenset[EntityType]:
    """Return the types that a source labels completely enough to count its unlabelled tokens as outside.

    Raises:
        KeyError: the source is not known; add it to the table.
    """
    return SCOPES[source]
