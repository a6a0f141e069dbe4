"""Which mentions are one entity: people and organizations that are written in several ways."""

from privguard.detect.linking.names import PersonForms
from privguard.detect.linking.organizations import OrganizationForms
from privguard.detect.linking.sentences import number_sentences
from privguard.detect.linking.surfaces import Surface

__all__ = ["OrganizationForms", "PersonForms", "Surface", "number_sentences"]
