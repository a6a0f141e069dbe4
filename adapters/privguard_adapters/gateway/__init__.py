"""A gateway for callers in any language: the same codecs and gate behind an HTTP server."""
