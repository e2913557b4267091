#!/usr/bin/env python3
"""A small program with typer that answers in envelopes.

manila generate --lang python -o .
"""

import sys
from typing import Any

import typer

from envelope import Result, emit, fail, respond, succeed

NOTES = {"1": "buy milk", "2": "call home"}
app = typer.Typer(help="Keeps notes.", add_completion=False)


@app.command("list")
def list_notes() -> Result[Any]:
    """List the notes."""
    return succeed([{"id": key, "text": text} for key, text in NOTES.items()])


@app.command()
def show(note: str) -> Result[Any]:
    """Show one note."""
    if note not in NOTES:
        more = {"suggestion": "`notes list` has all of them"}
        return fail("NOT_FOUND", f"there is no note {note!r}", more)
    return succeed({"id": note, "text": NOTES[note]})


def message(error: Any) -> str:
    """What is wrong with the arguments. Of several unknown options typer names the first."""
    if type(error).__name__ != "NoSuchOption":
        return str(error.format_message())
    root: Any = typer.main.get_command(app)
    commands = [root, *root.commands.values()]
    known = {"--help", *(word for it in commands for param in it.params for word in param.opts)}
    unknown = [word for word in sys.argv[1:] if word.startswith("-") and word not in known]
    return f"no such options: {', '.join(unknown)}"


def run() -> Result[Any]:
    """Runs a command; whatever typer refuses is a failure of the arguments."""
    try:
        result = app(standalone_mode=False)
    except Exception as error:
        # typer brings its own copy of click's exceptions in some versions.
        if not hasattr(error, "format_message"):
            raise
        return fail("ARG_ERROR", message(error), {"phase": "validation"})
    if not isinstance(result, Result):
        # Help is text.
        raise SystemExit(0)
    return result


if __name__ == "__main__":
    sys.exit(emit(respond(run)))
