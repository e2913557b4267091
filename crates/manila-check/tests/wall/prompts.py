#!/usr/bin/env -S python3 -BES
"""The flaw: it asks at the terminal itself, which no redirection keeps it from."""

import right


class Flawed(right.Notes):
    def listed(self, items):
        try:
            with open("/dev/tty", "r+b", buffering=0) as terminal:
                terminal.write(b"Token: ")
                terminal.readline()
        except OSError:
            pass
        return super().listed(items)


right.main(Flawed())
