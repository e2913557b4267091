#!/usr/bin/env -S python3 -BES
"""The flaw: in td/1, whose failures are on stderr, a warning is written there before the error
of a note that does not exist."""

import sys

import right


class Flawed(right.Notes):
    warns = True

    def answer(self, flags, command, rest):
        try:
            return super().answer(flags, command, rest)
        except right.Failure:
            if self.warns:
                self.write(sys.stderr, "Warning: the index is old")
            raise

    def dumps(self, data):
        error = data.get("error")
        if error:
            error = {"code": error["kind"].upper(), "message": error["message"], "suggestion": "See notes --help."}
            return super().dumps({"ok": False, "error": error})
        kind = "note_list" if "items" in data else "note"
        return super().dumps({"ok": True, "type": kind, "data": data})


if __name__ == "__main__":
    right.main(Flawed())
