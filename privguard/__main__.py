"""`python -m privguard` is the command `privguard`."""

from privguard.cli import main

if __name__ == "__main__":
    main()
