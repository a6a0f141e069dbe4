import pytest

from privguard.research.training.secret_makers import MAKERS, jwt, private_key
from privguard.research.training.seeds import seeded


@pytest.mark.parametrize("kind", sorted(MAKERS))
def test_secrets_follow_the_seed_and_differ(kind: str) -> None:
    made = [MAKERS[kind](seeded(seed)) for seed in range(30)]
    assert made == [MAKERS[kind](seeded(seed)) for seed in range(30)]
    assert len(set(made)) > 20
    assert all(value and value == value.strip() for value in made)


def test_tokens_and_keys_have_their_outer_form() -> None:
    head, claims, signature = jwt(seeded(1)).split(".")
    assert head.startswith("eyJ")
    assert claims.startswith("eyJ")
    assert len(signature) == 43
    block = private_key(seeded(1)).splitlines()
    assert block[0].startswith("-----BEGIN ")
    assert block[-1].startswith("-----END ")
