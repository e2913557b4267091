#!/usr/bin/env -S python3 -BES
"""Right: in td/1, whose failures stand on standard error, nothing stands beside them."""

import importlib

import right

flawed = importlib.import_module("prose-beside-error")


class Right(flawed.Flawed):
    warns = False


right.main(Right())
