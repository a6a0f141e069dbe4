"""What a gateway writes on standard error: one line an event, no content, no traceback's text."""

import logging
import sys
import time
import traceback
from types import TracebackType
from typing import TextIO

_QUIET = ("httpx2", "httpcore2", "asyncio", "uvicorn", "uvicorn.error")
_FORMAT = "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s %(message)s"


class PlaceFormatter(logging.Formatter):
    """Show the class and the place of an exception, never its text: that may hold content."""

    converter = staticmethod(time.gmtime)

    def formatException(  # noqa: N802 - the name of the base class
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        """Return one line."""
        kind, error, _trace = ei
        if kind is None or error is None:
            return ""
        frames = traceback.extract_tb(error.__traceback__)
        place = f" in {frames[-1].name}, {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        return f"{kind.__name__}{place}"


def set_up_logs(stream: TextIO | None = None) -> None:
    """Send the log of this process to standard error, the lines of the libraries only from warnings on."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(PlaceFormatter(_FORMAT, "%Y-%m-%dT%H:%M:%S"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("privguard.gateway").setLevel(logging.INFO)
    for name in _QUIET:
        # Their lines for each request hold URLs with queries.
        logging.getLogger(name).setLevel(logging.WARNING)
