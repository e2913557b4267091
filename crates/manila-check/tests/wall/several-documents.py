#!/usr/bin/env -S python3 -BES
"""The flaw: with --all each page is written as it comes, and each is a document."""

import right

right.HELP["list"] = right.HELP["list"].replace("      --json", "      --all      Every page\n      --json")


class Flawed(right.Notes):
    is_all = False

    def parse(self, args):
        self.is_all = "--all" in args
        flags, command, rest = super().parse([arg for arg in args if arg != "--all"])
        if self.is_all and command != "list":
            raise right.Failure(2, "usage", "unknown flag --all")
        return flags, command, rest

    def listed(self, items):
        if not self.is_all:
            return super().listed(items)
        if self.is_json:
            self.write(right.sys.stdout, self.dumps({"items": items[:2], "total": 3}))
        return {"items": items[2:], "total": 3, "page": 2}


right.main(Flawed())
