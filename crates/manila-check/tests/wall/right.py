#!/usr/bin/env -S python3 -BES
"""A small program in Python that is right: notes, with bare data on stdout and errors in JSON
on stderr. The other Python programs of the wall are this one with a flaw that Python makes
easy."""

import os
import sys

NOTES = {"1": "Buy bread", "2": "Call Ada", "3": "Water the plants"}
OPTIONS = """
Options:
      --json     Answer in JSON
  -h, --help     Print help
  -V, --version  Print version
"""
HELP = {
    "": "Keeps notes\n\nUsage: notes [OPTIONS] <COMMAND>\n\nCommands:\n"
    "  list  List the notes\n  show  Show a note\n" + OPTIONS,
    "list": "List the notes\n\nUsage: notes list [OPTIONS]\n" + OPTIONS,
    "show": "Show a note\n\nUsage: notes show [OPTIONS] <ID>\n\nArguments:\n  <ID>  Its number\n" + OPTIONS,
}


class Failure(Exception):
    def __init__(self, status, kind, message):
        super().__init__(message)
        self.status, self.kind, self.message = status, kind, message


class Notes:
    is_json = False

    def run(self, args):
        """Answers, and says with which status the process ends."""
        self.is_json = "--json" in args
        try:
            text, data = self.answer(*self.parse(args))
            self.write(sys.stdout, self.dumps(data) if self.is_json and data is not None else text)
            return 0
        except Failure as failure:
            error = {"error": {"kind": failure.kind, "message": failure.message}}
            text = self.dumps(error) if self.is_json else "error: " + failure.message
            self.write(sys.stderr, text)
            return failure.status

    def parse(self, args):
        """The flags and the words; everything that is wrong is reported at once."""
        flags = {arg for arg in args if arg.startswith("-")}
        known = {"--json", "-h", "--help", "-V", "--version"}
        errors = ["unknown flag " + self.clean(flag) for flag in sorted(flags - known)]
        words = [arg for arg in args if not arg.startswith("-")]
        command, rest = (words[0], words[1:]) if words else ("", [])
        if command not in HELP:
            errors.append("unknown command " + self.clean(command))
        elif not flags & {"-h", "--help", "-V", "--version"}:
            needs = 1 if command == "show" else 0
            if not command:
                errors.append("a command is missing")
            if len(rest) < needs:
                errors.append("ID is missing")
            if len(rest) > needs:
                errors.append("unexpected argument " + self.clean(rest[needs]))
        if errors:
            raise Failure(2, "usage", "; ".join(errors))
        return flags, command, rest

    def answer(self, flags, command, rest):
        """The answer as text, and as data where it has any."""
        if flags & {"-h", "--help"}:
            return HELP[command].rstrip(), None
        if flags & {"-V", "--version"}:
            return "notes 1.2.0", None
        if command == "list":
            items = [{"id": key, "text": text} for key, text in NOTES.items()]
            return "\n".join(f"{key}  {text}" for key, text in NOTES.items()), self.listed(items)
        if rest[0] not in NOTES:
            raise Failure(4, "not_found", "there is no note " + self.clean(rest[0]))
        return NOTES[rest[0]], {"id": rest[0], "text": NOTES[rest[0]]}

    def listed(self, items):
        return {"items": items, "total": len(items)}

    def clean(self, word):
        """What is not UTF-8 in an argument is a lone surrogate in Python, which nothing can print."""
        return os.fsencode(word).decode("utf-8", "replace")

    def dumps(self, data):
        # Half of the time of a call goes into this import, and most calls write text.
        import json

        return json.dumps(data)

    def write(self, stream, text):
        """A reader that hangs up has what it wanted."""
        try:
            stream.write(text + "\n")
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def main(program):
    sys.exit(program.run(sys.argv[1:]))


if __name__ == "__main__":
    main(Notes())
