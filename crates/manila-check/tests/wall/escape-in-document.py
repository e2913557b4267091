#!/usr/bin/env -S python3 -BES
"""The flaw: the document of a failure, which is on stderr, is coloured."""

import right


class Flawed(right.Notes):
    def dumps(self, data):
        return super().dumps(data).replace('"error":', '\x1b[31m"error"\x1b[0m:')


right.main(Flawed())
