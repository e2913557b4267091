#!/usr/bin/env -S python3 -BES
"""The flaw: json.dumps writes what is not a number as NaN, which is not JSON."""

import right


class Flawed(right.Notes):
    def listed(self, items):
        return {"items": items, "total": len(items), "average_age": float("nan")}


right.main(Flawed())
