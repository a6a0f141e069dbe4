"""The repository keeps its shape: a test file per module, exports that exist, small modules, a light import."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = {"privguard": ROOT / "privguard", "privguard_adapters": ROOT / "adapters" / "privguard_adapters"}
HEAVY = (
    "asyncio",
    "anthropic",
    "cryptography",
    "detect_secrets",
    "httpx",
    "httpx2",
    "numpy",
    "onnxruntime",
    "openai",
    "opentelemetry",
    "phonenumbers",
    "presidio_analyzer",
    "psycopg",
    "pydantic",
    "redis",
    "rich",
    "spacy",
    "sqlite3",
    "stdnum",
    "typer",
)
MAX_LINES = 500
IMPORT_BUDGET_MS = 150


def modules() -> list[tuple[str, Path]]:
    """Return every module of both packages with its dotted name."""
    found = []
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found.append((".".join((package, *parts)).removesuffix(".__init__"), path))
    return found


MODULES = modules()


def has_code(path: Path) -> bool:
    """Tell whether a module does something: declarations and protocols need no test file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not is_stub(node) for node in ast.walk(tree)
    )


def is_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function has a docstring and `...` for a body."""
    return all(isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) for line in node.body)


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_each_module_with_code_has_its_test_file(name: str, path: Path) -> None:
    if path.name in ("__init__.py", "__main__.py") and name != "privguard":
        pytest.skip("packages export, their modules are tested")
    if not has_code(path):
        pytest.skip("declarations only")
    if name.startswith("privguard_adapters.litellm."):
        pytest.skip("its modules are tested together, in an environment of their own: tests/litellm")
    folder = ROOT / "tests" / ("adapters" if name.startswith("privguard_adapters") else "")
    package = PACKAGES[name.partition(".")[0]]
    stem = "init" if path.name == "__init__.py" else path.stem
    expected = folder / path.relative_to(package).parent / f"test_{stem}.py"
    assert expected.exists(), f"{expected.relative_to(ROOT)} is missing"


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_modules_stay_small(name: str, path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("name", [name for name, path in MODULES if path.name == "__init__.py"])
def test_every_export_exists(name: str) -> None:
    module = importlib.import_module(name)
    for export in getattr(module, "__all__", ()):
        assert getattr(module, export) is not None


def test_no_public_name_is_also_a_module() -> None:
    import privguard

    folder = PACKAGES["privguard"]
    assert not [n for n in privguard.__all__ if (folder / n).exists() or (folder / f"{n}.py").exists()]


def in_fresh_interpreter(statement: str) -> str:
    """Run a statement in a new interpreter and return what it prints."""
    done = subprocess.run([sys.executable, "-c", statement], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize(
    "module", ["privguard", "privguard.core", "privguard.restore", "privguard.guard", "privguard.replacements"]
)
def test_the_light_packages_pull_in_nothing_heavy(module: str) -> None:
    loaded = in_fresh_interpreter(f"import sys, {module}; print(*sys.modules)").split()
    assert not [name for name in HEAVY if name in loaded]


def test_import_stays_within_its_budget() -> None:
    # The time of the processor, not of the clock: it says the same on a machine that does other things as well.
    told = "; import time; print(time.process_time())"

    def best_ms(statement: str) -> float:
        return 1000 * min(float(in_fresh_interpreter(statement + told)) for _ in range(5))

    assert best_ms("import privguard") - best_ms("pass") <= IMPORT_BUDGET_MS


def test_nothing_speaks_of_another_place() -> None:
    words = ("/wo" + "rk/", ".." + "/shared")
    for folder in ("privguard", "adapters", "tests", "benchmarks", "docs"):
        for path in (ROOT / folder).rglob("*"):
            # Hidden folders hold what others wrote: environments, caches.
            hidden = any(part.startswith(".") for part in path.relative_to(ROOT).parts)
            if not hidden and path.suffix in (".py", ".md", ".toml", ".json", ".yml"):
                text = path.read_text(encoding="utf-8")
                assert not any(word in text for word in words), path.relative_to(ROOT)
