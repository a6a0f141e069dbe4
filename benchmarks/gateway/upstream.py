"""The scripted model server in a process of its own: prints its base URL, and ends with its standard input."""

import sys

from privguard.testing import ModelServer


def main() -> None:
    """Serve until nobody holds the other end of standard input."""
    with ModelServer() as server:
        print(server.base_url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
