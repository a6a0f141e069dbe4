from privguard.core.entities import Category, EntityType


def test_there_are_26_types_each_with_a_noun_and_a_category() -> None:
    assert len(EntityType) == 26
    assert all(kind.noun.startswith(("a ", "an ")) for kind in EntityType)
    counts = {category: sum(kind.category is category for kind in EntityType) for category in Category}
    assert counts == {Category.DIRECT: 10, Category.SECRET: 1, Category.QUASI: 10, Category.SENSITIVE: 5}
