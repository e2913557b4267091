#!/usr/bin/env -S python3 -BES
"""Right: in td/1, whose failures are on stderr, nothing is beside them."""

import importlib

import right

flawed = importlib.import_module("prose-beside-error")


class Right(flawed.Flawed):
    warns = False


right.main(Right())
