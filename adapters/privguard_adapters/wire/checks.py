"""What leaves as it is, provided that nothing sensitive is found in it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A text that leaves as it is, provided that nothing sensitive is found in it."""

    label: str
    text: str = field(repr=False)
    chosen: bool = False  # whether the developer chose it, as the names of models and tools
    key: str = field(default="", repr=False)  # the name that it stands under, where that may tell what it is
    opens: bool = False  # whether it is a credential: there only what the request hides counts
