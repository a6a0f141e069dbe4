from privguard.detect.linking.surfaces import CONTEXT, Surface


def test_a_surface_is_cut_with_a_little_around_it() -> None:
    text = "x" * 50 + "Reik" + "y" * 50
    assert Surface.of(text, 50, 54) == ("Reik", "x" * CONTEXT, "y" * CONTEXT, None)
    assert Surface.of("Reik", 0, 4, 7) == ("Reik", "", "", 7)
