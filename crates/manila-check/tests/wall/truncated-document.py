#!/usr/bin/env -S python3 -BES
"""The flaw: the document of a failure, which is on stderr, loses its end."""

import right


class Flawed(right.Notes):
    def dumps(self, data):
        text = super().dumps(data)
        return text[:-1] if "error" in data else text


right.main(Flawed())
