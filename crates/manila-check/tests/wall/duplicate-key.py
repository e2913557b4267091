#!/usr/bin/env -S python3 -BES
"""The flaw: the document of a failure, which is on stderr, has a key twice."""

import right


class Flawed(right.Notes):
    def dumps(self, data):
        return super().dumps(data).replace('{"kind"', '{"kind": "failure", "kind"')


right.main(Flawed())
