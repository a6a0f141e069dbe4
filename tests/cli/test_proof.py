from collections.abc import Callable

import pytest

from privguard.api import load_guard
from privguard.cli.check import Check, Status
from privguard.cli.proof import CANARIES, PROMPT, prove_by_hand, prove_with_sdk
from privguard.core.entities import EntityType
from privguard.core.plan import Action
from privguard.core.profile import Profile
from privguard.guard import Guard
from privguard.testing import FailingDetector, FakeDetector, FakeNeed, FakeProfiles, find_canaries, values_of

Prove = Callable[..., Check]
PROOFS = (prove_by_hand, prove_with_sdk)


def guard(*, hidden: int = 0, keep: bool = False, secrets: bool = False) -> Guard:
    """Build a guard that misses the first `hidden` canaries."""
    ceilings: dict[EntityType, Action] = {EntityType.EMAIL: Action.RETAIN} if keep else {}
    return load_guard(
        detector=FakeDetector(values_of(CANARIES[hidden:])),
        need=FakeNeed(b_redact=-9, b_abstract=-9),
        profiles=FakeProfiles(Profile(id="p:1", name="p", gamma=0.5, ceilings=ceilings, restore_secrets=secrets)),
        audit="off",
    )


@pytest.mark.parametrize(
    ("secrets", "end"), [(True, "all came back"), (False, "2 came back, secrets withheld as this profile says: 1")]
)
@pytest.mark.parametrize("prove", PROOFS)
def test_a_guard_that_works_is_proved(prove: Prove, secrets: bool, end: str) -> None:
    check = prove(guard(secrets=secrets), target="m", profile=None)
    assert (check.status, check.detail) == (Status.OK, f"on: 3 canaries went in, none left, {end}")


@pytest.mark.parametrize("prove", PROOFS)
def test_a_canary_that_leaves_is_a_failure(prove: Prove) -> None:
    check = prove(guard(hidden=1), target="m", profile=None)
    assert check.status is Status.FAIL
    assert check.detail == "1 of 3 canaries left in clear: SECRET"
    assert check.remedy


@pytest.mark.parametrize("prove", PROOFS)
def test_what_the_profile_lets_out_is_a_note(prove: Prove) -> None:
    check = prove(guard(keep=True), target="m", profile=None)
    assert check.status is Status.NOTE
    assert check.detail.startswith("on; 1 of 3 canaries left as this profile allows (EMAIL), ")


@pytest.mark.parametrize("prove", PROOFS)
def test_a_guard_that_fails_is_no_proof_and_its_text_stays_inside(prove: Prove) -> None:
    failing = load_guard(detector=FailingDetector(RuntimeError(PROMPT)), profiles=FakeProfiles(), audit="off")
    check = prove(failing, target="m", profile=None)
    assert check.status is Status.FAIL
    assert find_canaries(repr(check).encode(), CANARIES) == []


@pytest.mark.parametrize("prove", PROOFS)
def test_a_setting_that_is_wrong_does_not_blame_the_installation(prove: Prove) -> None:
    shipped = load_guard(detector=FakeDetector({}), need=FakeNeed(b_redact=-9, b_abstract=-9), audit="off")
    check = prove(shipped, target="m", profile="strct")
    assert check.status is Status.FAIL
    assert 'did you mean "strict"' in check.detail
    assert check.remedy == "mend this setting; nothing is sent until then"
