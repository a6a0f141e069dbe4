"""An error of ours keeps nothing of the one before it reachable, where that one may hold content."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "privguard").rglob("*.py"), *(ROOT / "adapters" / "privguard_adapters").rglob("*.py")])
# What is handled there holds names of files and modules, or is ours.
HARMLESS = frozenset(
    {
        *(
            "ImportError",
            "OSError",
            "FileNotFoundError",
            "EOFError",
            "sqlite3.Error",
            "zlib.error",
            "openai.OpenAIError",
        ),
        *("BrokenProcessPool", "Terminated"),
        *("PrivguardError", "AuditError", "ConfigError", "DetectionError", "ProtectionError", "UnprotectedRouteError"),
        "VaultError",
    }
)
# What is read there is shipped with the package or was written by it, and no content.
OWN_FILES = {
    "privguard/minimizer/need_table.py",
    "privguard/minimizer/targets.py",
    "privguard/encoder/need_head.py",
    "privguard/encoder/session.py",
    "privguard/encoder/tokens.py",
    "privguard/cli/ledger.py",
    "privguard/cli/commands.py",
    "privguard/storage/connection.py",
    "privguard/research/training/gazetteers.py",
}


def _names(handler: ast.ExceptHandler) -> set[str]:
    caught = handler.type
    if caught is None:
        return {"BaseException"}
    return {ast.unparse(each) for each in (caught.elts if isinstance(caught, ast.Tuple) else [caught])}


def _linked(source: Path) -> list[int]:
    """Return the lines that raise another error while one is handled that may hold content."""
    handlers = [each for each in ast.walk(ast.parse(source.read_text())) if isinstance(each, ast.ExceptHandler)]
    return [
        each.lineno
        for handler in handlers
        if not _names(handler) <= HARMLESS
        for each in ast.walk(handler)
        if isinstance(each, ast.Raise) and each.exc is not None
    ]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_errors_are_raised_where_no_other_is_handled(source: Path) -> None:
    if str(source.relative_to(ROOT)) not in OWN_FILES:
        assert _linked(source) == []
