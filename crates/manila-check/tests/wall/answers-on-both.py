#!/usr/bin/env -S python3 -BES
"""The flaw: stderr reports an error, and the answer reports a success without data."""

import right


class Flawed(right.Notes):
    def listed(self, items):
        if self.is_json:
            self.write(right.sys.stderr, "error: API rate limit exceeded")
            return super().listed([])
        return super().listed(items)


right.main(Flawed())
