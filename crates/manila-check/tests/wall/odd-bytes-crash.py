#!/usr/bin/env -S python3 -BES
"""The flaw: an argument that is not UTF-8 is printed as it came, which no stream can do."""

import json

import right


class Flawed(right.Notes):
    def clean(self, word):
        return word

    def dumps(self, data):
        return json.dumps(data, ensure_ascii=False).encode("utf-8").decode("utf-8")


right.main(Flawed())
