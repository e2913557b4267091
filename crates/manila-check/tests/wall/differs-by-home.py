#!/usr/bin/env -S python3 -BES
"""The flaw: without a home it ends before it has said anything."""

import os
import sys

import right


class Flawed(right.Notes):
    def listed(self, items):
        if "HOME" not in os.environ:
            sys.exit("notes: where is home?")
        return super().listed(items)


right.main(Flawed())
