from privguard.core.targets import Provenance, TargetModel


def test_only_an_assumed_capability_is_unknown() -> None:
    for provenance in Provenance:
        target = TargetModel(name="m", theta=0.0, provenance=provenance, pattern="*")
        assert target.known is (provenance is not Provenance.ASSUMED)
