#!/usr/bin/env -S python3 -BES
"""The flaw: a warning about a deprecated flag is on stdout, where the answer is."""

import sys

import right

right.HELP["list"] = right.HELP["list"].replace(
    "      --json", "      --full     Deprecated: whole notes are shown anyway\n      --json"
)


class Flawed(right.Notes):
    adviser = sys.stdout

    def parse(self, args):
        flags, command, rest = super().parse([arg for arg in args if arg != "--full"])
        if "--full" in args and command != "list":
            raise right.Failure(2, "usage", "unknown flag --full")
        if "--full" in args:
            self.write(self.adviser, "--full is deprecated and does nothing")
        return flags, command, rest


if __name__ == "__main__":
    right.main(Flawed())
