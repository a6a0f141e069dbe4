"""A template letter that uses the placeholders it finds by type: what a model might write."""

from privguard.core.entities import EntityType
from privguard.testing.recorded import Recorded
from privguard.testing.said import Said

_NEEDED = {
    "{person}": EntityType.PERSON,
    "{policy}": EntityType.RECORD_ID,
    "{born}": EntityType.DATE,
    "{city}": EntityType.LOCATION,
    "{amount}": EntityType.FINANCE,
    "{email}": EntityType.EMAIL,
    "{phone}": EntityType.PHONE,
    "{account}": EntityType.FIN_ACCOUNT,
    "{address}": EntityType.ADDRESS,
    "{health}": EntityType.HEALTH,
}
# A sentence is left out when the request holds no placeholder for one of its fields.
_PARAGRAPHS = (
    ("Subject: Policy {policy} - objection to your decision", "Subject: Objection to your decision"),
    ("Dear Sir or Madam,",),
    (
        "My name is {person}, born on {born}, and I am insured with you under policy {policy}.",
        "My name is {person}, and I am insured with you under policy {policy}.",
        "My name is {person}.",
        "I am writing to you about my claim.",
    ),
    (
        "You declined my claim for {amount}. I do not accept this decision: my physician prescribed the treatment.",
        "You declined my claim. I do not accept this decision.",
    ),
    ("The treatment for {health} took place in {city}.", "The treatment took place in {city}.", ""),
    ("Please transfer the amount to {account}.", ""),
    (
        "I ask you to review the claim within 30 days. You can reach me at {email} or {phone}.",
        "I ask you to review the claim within 30 days. You can reach me at {email}.",
        "I ask you to review the claim within 30 days.",
    ),
    ("Yours faithfully,\n{person}\n{address}", "Yours faithfully,\n{person}", "Yours faithfully"),
)


def draft_letter(request: Recorded) -> Said:
    """Write a letter to an insurer from the placeholders of the request; it holds nothing else of the request."""
    fields = {name: str(found) for name, kind in _NEEDED.items() if (found := request.placeholder(kind))}
    paragraphs = (_first_fitting(variants, fields) for variants in _PARAGRAPHS)
    return Said(text="\n\n".join(paragraph for paragraph in paragraphs if paragraph))


def _first_fitting(variants: tuple[str, ...], fields: dict[str, str]) -> str:
    for variant in variants:
        text = variant
        for name, value in fields.items():
            text = text.replace(name, value)
        if not any(name in text for name in _NEEDED):
            return text
    return ""
