#!/usr/bin/env python3
"""A small program with click that answers in envelopes.

manila generate --lang python -o .
"""

import sys
from typing import Any

import click

from envelope import Result, emit, fail, respond, succeed

NOTES = {"1": "buy milk", "2": "call home"}


@click.group()
@click.version_option("1.0", prog_name="notes")
def cli() -> None:
    """Keeps notes."""


@cli.command("list")
def list_notes() -> Result[Any]:
    """List the notes."""
    return succeed([{"id": key, "text": text} for key, text in NOTES.items()])


@cli.command()
@click.argument("note")
def show(note: str) -> Result[Any]:
    """Show one note."""
    if note not in NOTES:
        more = {"suggestion": "`notes list` has all of them"}
        return fail("NOT_FOUND", f"there is no note {note!r}", more)
    return succeed({"id": note, "text": NOTES[note]})


def message(error: click.ClickException) -> str:
    """What is wrong with the arguments. Of several unknown options click names the first."""
    if not isinstance(error, click.NoSuchOption):
        return error.format_message()
    commands = [cli, *cli.commands.values()]
    known = {"--help", *(word for it in commands for param in it.params for word in param.opts)}
    unknown = [word for word in sys.argv[1:] if word.startswith("-") and word not in known]
    return f"no such options: {', '.join(unknown)}"


def run() -> Result[Any]:
    """Runs a command; whatever click refuses is a failure of the arguments."""
    try:
        result = cli.main(standalone_mode=False)
    except click.ClickException as error:
        return fail("ARG_ERROR", message(error), {"phase": "validation"})
    if not isinstance(result, Result):
        # Help and the version are text.
        raise SystemExit(0)
    return result


if __name__ == "__main__":
    sys.exit(emit(respond(run)))
