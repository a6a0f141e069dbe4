import pytest

from privguard.research.training.gazetteers import Gazetteers
from privguard.research.training.lexicon import load_lexicon
from privguard.research.training.scene import Scene
from privguard.research.training.seeds import seeded


def test_a_person_keeps_the_name_within_a_scene(gazetteers: Gazetteers) -> None:
    scene = Scene(rng=seeded(3), lexicon=load_lexicon("en"), gazetteers=gazetteers)
    made = scene.fill("[[name]]|[[name]]|[[name2]]").text.split("|")
    assert made[0] == made[1]
    assert scene.fill("[[name]]").text == made[0]


def test_a_kind_that_no_list_knows_is_refused(gazetteers: Gazetteers) -> None:
    scene = Scene(rng=seeded(3), lexicon=load_lexicon("en"), gazetteers=gazetteers)
    with pytest.raises(KeyError, match="knows no kind"):
        scene.fill("[[unheard]]")
