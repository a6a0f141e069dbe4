"""The 26 entity types, in the four groups that policies speak about."""

from enum import StrEnum


class Category(StrEnum):
    """How an entity type gives a person away."""

    DIRECT = "direct"
    SECRET = "secret"  # noqa: S105 - the name of a category
    QUASI = "quasi"
    SENSITIVE = "sensitive"


class EntityType(StrEnum):
    """What kind of thing a span names."""

    PERSON = "PERSON"
    USERNAME = "USERNAME"
    EMAIL = "EMAIL"
    PHONE = "PHONE"
    ADDRESS = "ADDRESS"
    GOV_ID = "GOV_ID"
    RECORD_ID = "RECORD_ID"
    FIN_ACCOUNT = "FIN_ACCOUNT"
    DEVICE_ID = "DEVICE_ID"
    URL = "URL"
    SECRET = "SECRET"  # noqa: S105 - the name of a type
    LOCATION = "LOCATION"
    ORGANIZATION = "ORGANIZATION"
    EDUCATION = "EDUCATION"
    OCCUPATION = "OCCUPATION"
    DATE = "DATE"
    AGE = "AGE"
    GENDER = "GENDER"
    ORIGIN = "ORIGIN"
    FAMILY = "FAMILY"
    MISC = "MISC"
    HEALTH = "HEALTH"
    FINANCE = "FINANCE"
    BELIEF = "BELIEF"
    SEXUALITY = "SEXUALITY"
    LEGAL = "LEGAL"

    @property
    def category(self) -> Category:
        """Return the group of this type."""
        return _CATEGORY.get(self, Category.DIRECT)

    @property
    def noun(self) -> str:
        """Return the common noun with its article: what is left when no ladder rung fits."""
        return _NOUN[self]


_QUASI = (
    EntityType.LOCATION,
    EntityType.ORGANIZATION,
    EntityType.EDUCATION,
    EntityType.OCCUPATION,
    EntityType.DATE,
    EntityType.AGE,
    EntityType.GENDER,
    EntityType.ORIGIN,
    EntityType.FAMILY,
    EntityType.MISC,
)
_SENSITIVE = (
    EntityType.HEALTH,
    EntityType.FINANCE,
    EntityType.BELIEF,
    EntityType.SEXUALITY,
    EntityType.LEGAL,
)
_CATEGORY = (
    dict.fromkeys(_QUASI, Category.QUASI)
    | dict.fromkeys(_SENSITIVE, Category.SENSITIVE)
    | {EntityType.SECRET: Category.SECRET}
)
# Made of digits and capitals, as whoever issues them decides.
NUMBERED = frozenset(
    {
        EntityType.PHONE,
        EntityType.GOV_ID,
        EntityType.RECORD_ID,
        EntityType.FIN_ACCOUNT,
        EntityType.DEVICE_ID,
    }
)
_NOUN = {
    EntityType.PERSON: "a person",
    EntityType.USERNAME: "a user name",
    EntityType.EMAIL: "an email address",
    EntityType.PHONE: "a phone number",
    EntityType.ADDRESS: "a street address",
    EntityType.GOV_ID: "an identity number",
    EntityType.RECORD_ID: "a reference number",
    EntityType.FIN_ACCOUNT: "an account number",
    EntityType.DEVICE_ID: "a device identifier",
    EntityType.URL: "a link",
    EntityType.SECRET: "a secret",
    EntityType.LOCATION: "a place",
    EntityType.ORGANIZATION: "an organization",
    EntityType.EDUCATION: "an education",
    EntityType.OCCUPATION: "an occupation",
    EntityType.DATE: "a date",
    EntityType.AGE: "an age",
    EntityType.GENDER: "a gender",
    EntityType.ORIGIN: "an origin",
    EntityType.FAMILY: "a family relation",
    EntityType.MISC: "a detail",
    EntityType.HEALTH: "a health condition",
    EntityType.FINANCE: "an amount",
    EntityType.BELIEF: "a belief",
    EntityType.SEXUALITY: "a sexual orientation",
    EntityType.LEGAL: "a legal matter",
}
