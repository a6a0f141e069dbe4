"""The exam `pii-leak-benchmark` for gateways: what reaches the model server, and what comes back.

It is driven by its own command line, in processes of its own; here is only what starts the gateway before its capture,
and what reads its reports.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.exams.scores import Score
from benchmarks.gateway.processes import KEY, gateway, held_port, serve_command

PROFILES = Path(__file__).parent / "privguard.toml"
SEED = "a1b2c3d4e5f60001"
# The rules alone do not read percent-encoding, our models do.
_ENCODED = "rules that read an e-mail address in percent-encoding"
# The marker by which the exam knows its requests is five words joined by hyphens: our models take it for a secret.
_MARKER = "a model that knows five joined words from a passphrase"
_ENCODED_SHARE = 0.125  # of the cases
_COMMAND = Path(sys.executable).parent
_CLEAN, _NOT_MEASURED = "CLEAN", "NOT MEASURED"
_VERDICTS = (_NOT_MEASURED, "CHECK FAILED", _CLEAN, "LEAK")


def check_requests(system: str, out: Path) -> list[Score]:
    """Let it check by itself (random values), and as in continuous integration (values of a seed)."""
    return [_selfcheck(system, out), _ci(system, out)]


def check_replies(system: str, out: Path, *, oracle: str) -> list[Score]:
    """Let it check replies: what the caller sent comes back, what the model brings does not get through.

    Args:
        system: "rules", or the name of a model.
        out: where the reports go.
        oracle: how the values that the model brings are cut: `midpoint`, `exhaustive-2-part`, `union-worst-case`.
    """
    folder = out / f"v2-{system}-{oracle}"
    with held_port() as port, gateway(system, f"http://127.0.0.1:{port}/v1", profiles=PROFILES) as url:
        options = ["--validate", "--out", folder, "--only", "privguard", "--gateway-url", f"{url}/chat/completions"]
        options += ["--upstream-port", port, "--seed", SEED, "--oracle", oracle, "--json-out", folder / "summary.json"]
        options += ["--partial-emission"]
        _run(["pii-leak-benchmark-v2", *map(str, options)])
    (row,) = _read(folder / "summary.json")["rows"]
    parts = _read(folder / "privguard.partial-emission.json")
    return [_echo_score(system, oracle, row), _injection_score(system, oracle, row), _part_score(system, oracle, parts)]


def _echo_score(system: str, oracle: str, row: dict[str, Any]) -> Score:
    complete = row["cases_applicable"] == row["cases_attempted"] == row["echo_observable"]
    clean = not row["request_path_leak"] and not row["inconclusive"] and row["schema_valid"]
    return Score(
        exam=f"v2 echo, {oracle}",
        system=system,
        told=(
            f"FidelityRate {row['fidelity_rate']:g}, {len(row['request_path_leak'])} types sent, "
            f"{row['cases_applicable']} of {row['cases_attempted']} cases"
        ),
        passed=complete and clean and row["fidelity_rate"] == 1.0,
    )


def _injection_score(system: str, oracle: str, row: dict[str, Any]) -> Score:
    whole, cut = row["leak_single_chunk"], row["leak_adversarial"]
    return Score(
        exam=f"v2 injection, {oracle}",
        system=system,
        told=f"LeakRate {whole:g} whole, {cut:g} cut, DeltaFrag {row['delta_frag']:g}",
        passed=whole == cut == row["delta_frag"] == 0.0,
        waits_for=_ENCODED if system == "rules" and whole == cut <= _ENCODED_SHARE else "",
    )


def _part_score(system: str, oracle: str, report: dict[str, Any]) -> Score:
    metrics = report["metrics"]
    tried, partial = metrics["partitions_tried"], metrics["partitions_partial"]
    return Score(
        exam=f"v2 parts of values, {oracle}",
        system=system,
        told=f"{partial} of {tried:,} cut replies show a part of a value that was hidden",
        passed=bool(report["passed"]) and tried > 0 and not metrics["cases_inconclusive"],
    )


def _selfcheck(system: str, out: Path) -> Score:
    with held_port() as port, gateway(system, f"http://127.0.0.1:{port}/v1", profiles=PROFILES) as url:
        report = out / f"selfcheck-{system}.json"
        command = ["selfcheck", "--target-base-url", url, "--capture-port", str(port), "--json-out", str(report)]
        done = _run(["pii-leak-benchmark", *command])
    return _request_score("selfcheck", system, _verdict(done.stdout), passed=done.returncode == 0)


def _ci(system: str, out: Path) -> Score:
    folder = out / f"ci-{system}"
    with held_port() as port, held_port() as capture:
        # It starts the gateway itself, and names the model server in the environment.
        command = serve_command(system, "$UPSTREAM", profiles=PROFILES, port=port)
        options = ["ci", "--target-base-url", f"http://127.0.0.1:{port}/v1", "--capture-port", str(capture)]
        options += ["--upstream-env", "UPSTREAM", "--start-command", " ".join(command), "--out", str(folder)]
        _run(["pii-leak-benchmark", *options])
    run = _read(folder / "current.json")
    failed = [name for name, passed in run.get("required_checks", {"run": False}).items() if not passed]
    told = run["verdict"] + (f": {', '.join(failed)}" if failed else "")
    return _request_score("ci", system, told, passed=run["verdict"] == _CLEAN)


def _request_score(exam: str, system: str, told: str, *, passed: bool) -> Score:
    unmeasured = told.startswith(_NOT_MEASURED) and system != "rules"
    return Score(exam=exam, system=system, told=told, passed=passed, waits_for=_MARKER if unmeasured else "")


def _verdict(printed: str) -> str:
    """Return the verdict out of what was printed."""
    found = [verdict for line in printed.splitlines() for verdict in _VERDICTS if verdict in line]
    return found[0] if found else "no verdict"


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    name, *options = command
    environment = os.environ | {"PRIVGUARD_KEY": KEY}
    return subprocess.run(
        [str(_COMMAND / name), *options], capture_output=True, text=True, env=environment, check=False
    )


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
