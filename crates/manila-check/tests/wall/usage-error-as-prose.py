#!/usr/bin/env -S python3 -BES
"""The flaw: argparse reports errors itself, in text, and ends the process."""

import argparse

import right


class Flawed(right.Notes):
    def parse(self, args):
        if {"-h", "--help", "-V", "--version"} & set(args):
            return super().parse(args)
        parser = argparse.ArgumentParser(prog="notes")
        parser.add_argument("--json", action="store_true")
        commands = parser.add_subparsers(dest="command", required=True)
        for name in ("list", "show"):
            command = commands.add_parser(name)
            command.add_argument("--json", action="store_true")
            if name == "show":
                command.add_argument("id")
        parsed = parser.parse_args(args)
        return set(), parsed.command, [parsed.id] if parsed.command == "show" else []


right.main(Flawed())
