"""Where the sockets of servers lie: their paths have at most a hundred characters, wherever other files are put."""

from pathlib import Path

_TMP = "/tmp"  # noqa: S108 - what is made in it is its user's alone, and nobody knows its name
SHORT = _TMP if Path(_TMP).is_dir() else None
