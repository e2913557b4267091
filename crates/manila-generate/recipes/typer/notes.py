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


def run() -> Result[Any]:
    """Runs a command; whatever typer refuses is a failure of the arguments."""
    try:
        result = app(standalone_mode=False)
    except Exception as error:
        # typer brings its own copy of click's exceptions in some versions.
        if not hasattr(error, "format_message"):
            raise
        return fail("ARG_ERROR", error.format_message(), {"phase": "validation"})
    if not isinstance(result, Result):
        # Help is text.
        raise SystemExit(0)
    return result


if __name__ == "__main__":
    sys.exit(emit(respond(run)))
