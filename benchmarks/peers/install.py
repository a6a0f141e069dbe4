"""Install the peers, each into an environment of its own below `benchmarks/.peers`.

python -m benchmarks.peers.install [NAME ...]
"""

import argparse
import subprocess
import sys
import venv

from benchmarks.peers.catalogue import HOME, PEERS, Peer


def install(peer: Peer) -> None:
    """Create the environment of a peer, unless it is there and complete."""
    folder = HOME / peer.environment
    wanted = "\n".join((*peer.packages, *peer.data_packages))
    stamp = folder / ".installed"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        print(f"{peer.name}: there")
        return
    print(f"{peer.name}: installing into {folder}")
    venv.create(folder, with_pip=True)
    pip = [str(peer.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *peer.packages], check=True)
    if peer.data_packages:
        subprocess.run([*pip, "--no-deps", "--ignore-requires-python", *peer.data_packages], check=True)
    stamp.write_text(wanted, encoding="utf-8")


def main() -> None:
    """Install those that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PEERS)}")
    names = parser.parse_args().names or list(PEERS)
    if unknown := sorted(set(names) - set(PEERS)):
        sys.exit(f"no peer is called {', '.join(unknown)}")
    HOME.mkdir(exist_ok=True)
    (HOME / ".gitignore").write_text("*\n", encoding="utf-8")
    for name in names:
        install(PEERS[name])


if __name__ == "__main__":
    main()
