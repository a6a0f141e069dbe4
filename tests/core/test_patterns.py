import gc
import importlib
import pkgutil
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import privguard
from privguard.core.patterns import LazyPattern, lazy_pattern

_OUTSIDE = ("privguard.research", "privguard.cli", "privguard.testing")


def test_pattern_answers_as_a_compiled_one() -> None:
    text = "Ada has 12 apples, ben 7."
    for expression, flags in ((r"(?P<n>\d+)", 0), (r"\bada\b|BEN", re.IGNORECASE), (r"^$|(?=x)", re.MULTILINE)):
        lazy, eager = lazy_pattern(expression, flags), re.compile(expression, flags)

        assert [match.span() for match in lazy.finditer(text, 3)] == [match.span() for match in eager.finditer(text, 3)]
        for method in ("search", "match", "fullmatch"):
            found, wanted = getattr(lazy, method)(text, 8, 10), getattr(eager, method)(text, 8, 10)
            assert (found and found.span()) == (wanted and wanted.span())
        assert lazy.sub("_", text, count=1) == eager.sub("_", text, count=1)
        assert lazy.subn("_", text) == eager.subn("_", text)
        assert lazy.split(text) == eager.split(text)
        assert lazy.findall(text) == eager.findall(text)
        assert (lazy.pattern, lazy.flags, lazy.groups) == (eager.pattern, eager.flags, eager.groups)
        assert dict(lazy.groupindex) == dict(eager.groupindex)


def test_nothing_is_compiled_before_it_is_asked_for() -> None:
    broken = lazy_pattern("(")

    assert broken.pattern == "("
    with pytest.raises(re.error):
        broken.search("text")


def test_unknown_attribute_is_refused() -> None:
    with pytest.raises(AttributeError, match="scan"):
        lazy_pattern("a").scan  # type: ignore[attr-defined] # noqa: B018 - asked for, to be refused


def test_threads_that_meet_a_pattern_at_once_get_the_same_matches() -> None:
    fresh = [lazy_pattern(rf"(?<!\d)\d{{{size}}}(?!\d)") for size in range(1, 60)]
    text = " ".join("7" * size for size in range(1, 60))

    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda _: [pattern.findall(text) for pattern in fresh], range(8)))

    assert rows == [[["7" * size] for size in range(1, 60)]] * 8


@pytest.mark.long
def test_every_pattern_of_the_package_compiles() -> None:
    for module in pkgutil.walk_packages(privguard.__path__, "privguard."):
        if not module.name.startswith(_OUTSIDE):
            importlib.import_module(module.name)
    patterns = [each for each in gc.get_objects() if type(each) is LazyPattern]

    assert len(patterns) > 400
    for pattern in patterns:
        assert pattern.groups == re.compile(pattern.pattern, pattern._given).groups


def test_few_patterns_are_compiled_where_a_guard_is_loaded() -> None:
    script = (
        "import re._compiler as compiler, sys\n"
        "compile, own = compiler.compile, []\n"
        "def counted(*given):\n"
        "    frame = sys._getframe(1)\n"
        "    while frame.f_globals['__name__'] in ('re', 'privguard.core.patterns'):\n"
        "        frame = frame.f_back\n"
        "    own.extend([1] if frame.f_globals['__name__'].startswith('privguard') else [])\n"
        "    return compile(*given)\n"
        "compiler.compile = counted\n"
        "import privguard\n"
        "privguard.load_guard(audit='off', model='tiny')\n"
        "print(len(own))\n"
    )
    answer = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)

    assert int(answer.stdout) < 100
