#!/usr/bin/env -S python3 -BES
"""The flaw: the variable that help names for the format beats --json."""

import os

import right

FORMATS = ["text", "json"]
right.HELP["list"] = right.HELP["list"].replace(
    "      --json",
    "      --format <FORMAT>  How to answer [env: NTS_STYLE=] [default: text] "
    "[possible values: text, json]\n      --json",
)


class Flawed(right.Notes):
    def run(self, args):
        self.format, rest, wrong = os.environ.get("NTS_STYLE", ""), [], ""
        args = iter(args)
        for arg in args:
            name, _, value = arg.partition("=")
            if name != "--format":
                rest.append(arg)
                continue
            self.format = value or next(args, "")
            wrong = "" if self.format in FORMATS else "FORMAT must be text or json"
        self.wrong = wrong
        if self.format == "json":
            rest.append("--json")
        return super().run(self.decided(rest))

    def decided(self, args):
        """The arguments, as the variable will have them."""
        return [arg for arg in args if arg != "--json" or self.format != "text"]

    def parse(self, args):
        parsed = super().parse(args)
        if self.wrong:
            raise right.Failure(2, "usage", self.wrong)
        return parsed


if __name__ == "__main__":
    right.main(Flawed())
