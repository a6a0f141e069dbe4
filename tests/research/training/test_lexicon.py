import pytest

from privguard.core.entities import EntityType
from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.lexicon import languages, load_labels, load_lexicon
from privguard.research.training.scene import LABELS, Scene
from privguard.research.training.seeds import seeded


def test_thirty_languages_have_templates() -> None:
    assert len(languages()) == 30


def test_labels_are_entity_types() -> None:
    assert set(load_labels().values()) <= set(EntityType.__members__)


@pytest.mark.parametrize("lang", languages())
def test_every_template_of_a_language_can_be_filled(lang: str, gazetteers: Gazetteers) -> None:
    lexicon = load_lexicon(lang)
    templates = (
        *lexicon.sentences,
        *lexicon.documents,
        *lexicon.machine_documents,
        *lexicon.openers,
        *(f"[[{kind}]]" for kind in lexicon.fields),
    )
    for number, template in enumerate(templates):
        scene = Scene(rng=seeded(number), lexicon=lexicon, gazetteers=gazetteers)
        made = scene.fill(template)
        assert made.text.strip()
        assert "[[" not in made.text
        assert "((" not in made.text


@pytest.mark.parametrize("lang", languages())
def test_negatives_hold_no_span(lang: str, gazetteers: Gazetteers) -> None:
    lexicon = load_lexicon(lang)
    for number, template in enumerate(lexicon.negatives):
        scene = Scene(rng=seeded(number), lexicon=lexicon, gazetteers=gazetteers)
        assert scene.fill(template).spans == ()


def test_fields_of_forms_are_kinds_with_a_label() -> None:
    assert all(kind in LABELS for lang in languages() for kind in load_lexicon(lang).fields)
