#!/usr/bin/env -S python3 -BES
"""The flaw: there are two commands that can be called, and one has an envelope around its answer."""

import right

ABOUT = "Count the notes"
right.HELP[""] = right.HELP[""].replace("  show", "  count  " + ABOUT + "\n  show")
right.HELP["count"] = ABOUT + "\n\nUsage: notes count [OPTIONS]\n" + right.OPTIONS


class Flawed(right.Notes):
    def listed(self, items):
        return {"ok": True, "data": super().listed(items)}

    def answer(self, flags, command, rest):
        if command == "count" and not flags - {"--json"}:
            return str(len(right.NOTES)), {"count": len(right.NOTES)}
        return super().answer(flags, command, rest)


right.main(Flawed())
