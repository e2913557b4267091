#!/usr/bin/env -S python3 -BES
"""Right: the variable that help names is for those who do not ask."""

import importlib

import right

flawed = importlib.import_module("variable-beats-flag")


class Right(flawed.Flawed):
    def decided(self, args):
        return args


right.main(Right())
