#!/usr/bin/env -S python3 -BES
"""Right: a warning about a deprecated flag is on stderr."""

import importlib
import sys

import right

flawed = importlib.import_module("prose-on-stdout")


class Right(flawed.Flawed):
    adviser = sys.stderr


right.main(Right())
