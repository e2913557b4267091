"""The program ``manila`` itself, in this process: ``manila``, ``python -m manila``, ``uvx manila``."""

from __future__ import annotations

import os
import signal
import sys

from manila import _manila


def main() -> int:
    # The interpreter's handler would only set a flag that is not read while the program works.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _manila.main([b"manila", *map(os.fsencode, sys.argv[1:])])


if __name__ == "__main__":
    sys.exit(main())
