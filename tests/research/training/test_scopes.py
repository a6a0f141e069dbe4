import pytest

from privguard.core.entities import EntityType
from privguard.research.training.scopes import ALL, SCOPES, UNLABELLED, scope_of


def test_each_source_labels_types_that_there_are() -> None:
    assert all(scope <= ALL for scope in SCOPES.values())
    assert frozenset(EntityType) == ALL


def test_what_nobody_labelled_has_an_empty_scope_and_every_other_source_has_none() -> None:
    assert [source for source, scope in SCOPES.items() if not scope] == [UNLABELLED]


def test_an_unknown_source_is_refused_rather_than_guessed() -> None:
    with pytest.raises(KeyError):
        scope_of("nobody_wrote_this")
