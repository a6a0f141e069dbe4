"""The sink that settings and the environment name."""

from collections.abc import Mapping
from pathlib import Path

from privguard.audit.sinks import default_audit_path, mode_of, open_sink
from privguard.core.audit import AuditMode
from privguard.core.errors import ConfigError
from privguard.core.protocols import AuditSink

AUDIT_VARIABLE = "PRIVGUARD_AUDIT"
AUDIT_MODE_VARIABLE = "PRIVGUARD_AUDIT_MODE"
AUDIT_KEY_VARIABLE = "PRIVGUARD_AUDIT_KEY"
SIGNING_KEY_VARIABLE = "PRIVGUARD_AUDIT_SIGNING_KEY"
TELEMETRY_VARIABLE = "PRIVGUARD_TELEMETRY"
_OTEL, _NO_TELEMETRY = "otel", "off"


def sink_of_settings(
    given: AuditSink | str | Path | None, mode: str | None, environment: Mapping[str, str]
) -> AuditSink:
    """Return the sink that was given, or open the one that is named.

    Args:
        given: a sink, a file, or "off"; None for what the environment says.
        mode: what happens to a request that cannot be recorded; None for what the environment says.
        environment: the variables of the process.

    Raises:
        AuditError: the log cannot be opened.
        ConfigError: a setting is wrong, or the extra `crypto` is missing.
    """
    if given is not None and not isinstance(given, str | Path):
        if not callable(getattr(given, "write", None)):
            raise ConfigError('audit is a file, a sink with write(record), or "off"')
        if mode is not None:
            raise ConfigError("audit_mode goes with a file: a sink that is given has a mode of its own")
        return given
    if mode is not None:
        wanted = mode_of(mode, "audit_mode")
    else:
        wanted = mode_of(environment.get(AUDIT_MODE_VARIABLE) or AuditMode.BEST_EFFORT, AUDIT_MODE_VARIABLE)
    key = environment.get(AUDIT_KEY_VARIABLE)
    return open_sink(
        given or environment.get(AUDIT_VARIABLE) or default_audit_path(),
        key.encode() if key else None,
        mode=wanted,
        signing_key=environment.get(SIGNING_KEY_VARIABLE) or None,
    )


def observed(sink: AuditSink, telemetry: str | None, environment: Mapping[str, str]) -> AuditSink:
    """Return the sink, behind one that tells OpenTelemetry of each record where a setting asks for it.

    Args:
        sink: what keeps the records.
        telemetry: "otel" or "off"; None for what the environment says, by default "off".
        environment: the variables of the process.

    Raises:
        ConfigError: the setting is wrong, or the extra `otel` is missing.
    """
    source = TELEMETRY_VARIABLE if telemetry is None else "telemetry"
    wanted = environment.get(TELEMETRY_VARIABLE) or _NO_TELEMETRY if telemetry is None else telemetry
    if wanted == _NO_TELEMETRY:
        return sink
    if wanted != _OTEL:
        raise ConfigError(f"{source} is one of: {_OTEL}, {_NO_TELEMETRY}")
    from privguard.audit.telemetry import TelemetrySink

    return TelemetrySink(sink)
