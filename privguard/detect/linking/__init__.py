"""Which mentions are one entity: people, organizations and numbers that are written in several ways."""

from privguard.detect.linking.names import PersonForms
from privguard.detect.linking.numbers import NumberForms
from privguard.detect.linking.organizations import OrganizationForms
from privguard.detect.linking.sentences import number_sentences
from privguard.detect.linking.surfaces import Surface
from privguard.detect.linking.surnames import name_bearers

__all__ = ["NumberForms", "OrganizationForms", "PersonForms", "Surface", "name_bearers", "number_sentences"]
