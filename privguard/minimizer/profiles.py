"""Profiles by name and target model: what a profile file says, resolved, checked and frozen."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from privguard.core.errors import ConfigError
from privguard.core.profile import Profile
from privguard.core.targets import Provenance, TargetModel
from privguard.minimizer.layers import SHIPPED_PROFILES, Book, Layer, NamedLayer, settle
from privguard.minimizer.targets import Capability, matching, shipped_capabilities

DEFAULT = "default"
_RESOLVED = 1024  # pairs of target and profile that are kept resolved
_EMPTY = NamedLayer()


def load_profiles(path: Path | None = None) -> "Profiles":
    """Read a profile file; without a path, the shipped profiles alone.

    Raises:
        ConfigError: the file cannot be read, or something in it is wrong; the message names file, key and remedy.
    """
    if path is None:
        return Profiles(Book())
    from privguard.minimizer.profile_file import read_book

    return Profiles(read_book(path))


class Profiles:
    """A profile book. Immutable, thread-safe; resolving is cached."""

    def __init__(self, book: Book) -> None:
        """Take the content of a profile file and check every profile in it.

        Raises:
            ConfigError: the settings of a profile contradict each other.
        """
        self._book = book
        self._resolve = lru_cache(maxsize=_RESOLVED)(self._resolve_uncached)
        self._check()

    @classmethod
    def from_mapping(cls, content: Mapping[str, object]) -> "Profiles":
        """Take the content of a profile file as a mapping.

        Raises:
            ConfigError: something in it is wrong.
        """
        from privguard.minimizer.profile_file import parse_book

        return cls(parse_book(content))

    def __repr__(self) -> str:
        return f"Profiles({self._book.source}, {', '.join(self.names)})"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all profiles, sorted."""
        return tuple(sorted({*SHIPPED_PROFILES, *self._book.profiles}))

    def resolve(self, target: str, profile: str | None = None) -> tuple[Profile, TargetModel]:
        """Return the profile and the capability for a target model; without a name, the profile `default`.

        Raises:
            ConfigError: no profile has that name, or its settings contradict each other for this target.
        """
        return self._resolve(target, profile if profile is not None else DEFAULT)

    def _resolve_uncached(self, target: str, profile: str) -> tuple[Profile, TargetModel]:
        if profile not in self.names:
            from difflib import get_close_matches

            # The name may come from a header: it is not repeated.
            close = get_close_matches(profile, self.names, n=1)
            guess = f'; did you mean "{close[0]}"?' if close else "."
            raise ConfigError(f"no profile has the name that was asked for{guess} Known: {', '.join(self.names)}")
        where = f"{self._book.source}: profile {profile} for {target or 'an unnamed model'}"
        return settle(profile, self._layers(target, profile), where), self._target(target, profile)

    def _layers(self, target: str, profile: str) -> tuple[Layer, ...]:
        named = self._book.profiles.get(profile, _EMPTY)
        return (
            self._book.defaults,
            *(self._book.targets[pattern] for pattern in matching(self._book.targets, target)),
            SHIPPED_PROFILES.get(profile, Layer()),
            named.base,
            *(named.targets[pattern] for pattern in matching(named.targets, target)),
        )

    def _target(self, target: str, profile: str) -> TargetModel:
        """Return the capability of the most specific pattern; of equals that of the later layer."""
        by_pattern: dict[str, Capability] = {each.pattern.casefold(): each for each in shipped_capabilities()}
        for layers in (self._book.targets, self._book.profiles.get(profile, _EMPTY).targets):
            for pattern, layer in layers.items():
                if layer.theta is not None:
                    by_pattern[pattern.casefold()] = Capability(
                        pattern=pattern,
                        theta=layer.theta,
                        provenance=Provenance.CONFIGURED,
                        note=f"set in {self._book.source}",
                    )
        best = by_pattern[matching(by_pattern, target)[-1]]
        return TargetModel(
            name=target, theta=best.theta, provenance=best.provenance, pattern=best.pattern, note=best.note
        )

    def _check(self) -> None:
        """Settle every profile for every pattern of the file, so that a contradiction shows when it is loaded."""
        for name in self.names:
            patterns = {*self._book.targets, *self._book.profiles.get(name, _EMPTY).targets}
            for pattern in ("", *sorted(patterns)):
                where = f"{self._book.source}: profile {name}" + (f" for {pattern}" if pattern else "")
                settle(name, self._layers(pattern, name), where)
