#!/usr/bin/env -S python3 -BES
"""Right: who uses a flag that is deprecated is told so on standard error."""

import importlib
import sys

import right

flawed = importlib.import_module("prose-on-stdout")


class Right(flawed.Flawed):
    adviser = sys.stderr


right.main(Right())
