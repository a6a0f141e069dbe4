import pytest

import privguard


def test_every_public_name_resolves_and_is_listed() -> None:
    assert all(getattr(privguard, name) is not None for name in privguard.__all__)
    assert set(privguard.__all__) <= set(dir(privguard))
    assert sorted(privguard.__all__) == privguard.__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = privguard.nothing


def test_the_version_is_the_one_of_the_distribution() -> None:
    from importlib.metadata import version

    assert privguard.__version__ == version("privguard")
