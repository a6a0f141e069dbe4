"""A denied term never leaves, in no spelling, and what was written comes back."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.api import minimize
from privguard.core.entities import EntityType
from privguard.core.profile import Profile
from privguard.core.segments import Segment
from privguard.core.spans import Span
from privguard.detect.bare import readings
from privguard.detect.encoded import SOURCE as ENCODER
from privguard.guard import Guard, Parts
from privguard.replacements.key import Key
from privguard.testing import FakeAbstractor, FakeDetector, FakeNeed, FakeProfiles, ListSink

DENY = {"Project Heron": EntityType.ORGANIZATION, "Egret": EntityType.MISC, "QX": EntityType.MISC}
PROFILE = Profile(id="p:1", name="p", gamma=0.5, deny=DENY)


class _Model(FakeDetector):
    """Find what the network would."""

    def detect(self, segments: Sequence[Segment]) -> tuple[tuple[Span, ...], ...]:
        return tuple(tuple(replace(span, source=ENCODER) for span in row) for row in super().detect(segments))


def _guard(values: dict[str, EntityType] | None = None, *, profile: Profile = PROFILE) -> Guard:
    return Guard(
        Parts(
            detector=_Model(values or {}),
            need=FakeNeed(b_redact=9.0, b_abstract=9.0),
            abstractor=FakeAbstractor(),
            profiles=FakeProfiles(profile),
            sink=ListSink(),
            key=Key.from_text("correct horse battery staple"),
        )
    )


GUARD = _guard()


def _leaves(text: str, guard: Guard = GUARD) -> str:
    with minimize(text, target="m", guard=guard) as exchange:
        assert exchange.restore(exchange.outgoing) == text
        return exchange.outgoing


@pytest.mark.parametrize(
    "text",
    [
        "open project-heron.md now",
        "import project_heron",
        "class ProjectHeronService:",
        "GET /x?name=PROJECT%20HERON&y=1",
        "the **Project** Heron",
        "<b>Project</b> Heron",
        "the egret_db",
        "\uff25\uff47\uff52\uff45\uff54 flies",
        "Eg\u200bret and Eg\\u200bret",
        "#egret2 and EgretService, egrets",
        "a log:\\nEgret\\tProject\\nHeron",
        "https://egret.example/a and a@egret.example",
        '{"egretName": "Project Heron"}',
        "said QX, (qx)",
    ],
    ids=range(14),
)
def test_no_spelling_of_a_denied_term_leaves_and_every_one_comes_back(text: str) -> None:
    outgoing = _leaves(text)
    for reading in readings(outgoing):
        assert "projectheron" not in reading.letters
        assert "egret" not in reading.letters
    assert "qx" not in outgoing.lower().replace("_qx", "")


def test_a_value_in_tag_characters_never_leaves() -> None:
    def tagged(text: str) -> str:
        return "".join([chr(0xE0000 + ord(letter)) for letter in text])

    guard = Guard(replace(_guard({"Zoe Roth": EntityType.PERSON}).parts, need=FakeNeed(b_redact=-9.0, b_abstract=-9.0)))
    outgoing = _leaves(f"on {tagged('Project Heron')} by {tagged('Zoe Roth')}.", guard)
    assert re.fullmatch(r"on \[ORGANIZATION_\w+\] by \[PERSON_\w+\]\.", outgoing)


def test_the_type_of_the_list_is_the_type_of_the_term() -> None:
    guard = _guard({"Project Heron": EntityType.MISC, "Egret": EntityType.PERSON})
    assert _leaves("of Project Heron", guard).startswith("of [ORGANIZATION_")
    assert _leaves("of Egret", guard).startswith("of [MISC_")


def test_no_abstraction_names_a_denied_term() -> None:
    guard = Guard(
        replace(
            GUARD.parts,
            detector=_Model({"Ravensburg": EntityType.LOCATION}),
            abstractor=FakeAbstractor({"Ravensburg": "a town by the Egret"}),
            need=FakeNeed(b_redact=9.0, b_abstract=-9.0),
        )
    )
    assert "Egret" not in _leaves("in Ravensburg", guard)
    assert ": a place]" in _leaves("in Ravensburg", guard)


@pytest.mark.parametrize("text", ['the Project\nHeron \\"x\\"', 'said \\"x\\"\nthe project\nheron'], ids=len)
def test_a_term_over_the_end_of_a_line_never_leaves_beside_escapes(text: str) -> None:
    assert not {"project", "heron"} & set(_leaves(text).lower().replace("\\", " ").split())


_WORDS = ("Egret", "egret", "PROJECT", "project", "Heron", "QX", "s", "x", "7", "é")
_BETWEEN = (" ", "_", "-", ".", "%20", "**", "</b>", "\u200b", "\\n", "/", "[", "]", "(", "&nbsp;")
PIECES = st.sampled_from(_WORDS + _BETWEEN)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_is_made_of_a_term_and_separators_never_leaves_and_comes_back(text: str) -> None:
    outgoing = _leaves(text)
    assert "egret" not in outgoing.lower()


@pytest.mark.parametrize("name", ["x-egret-id", "PROJECT_HERON"])
def test_a_header_that_holds_a_denied_term_is_seen(make_guard: Callable[..., Guard], name: str) -> None:
    assert make_guard(profiles=FakeProfiles(PROFILE)).scan(name)


@pytest.mark.parametrize(
    "written", ['K\\"onig', 'K{\\"o}nig', 'K\\"{o}nig'], ids=["bare", "in braces", "letter in braces"]
)
def test_umlauts_of_tex_are_read_though_they_look_like_escapes_of_json(written: str) -> None:
    text = f"Karl K\u00f6nig met Lena {written}."
    guard = _guard(profile=replace(PROFILE, deny={"K\u00f6nig": EntityType.PERSON}))
    with minimize(text, target="m", guard=guard) as exchange:
        assert "nig" not in exchange.outgoing
        assert exchange.restore(exchange.outgoing) == text
