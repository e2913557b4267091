"""The functions of the package."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from manila import _manila
from manila._options import (
    CheckOptions,
    DecideOptions,
    RunOptions,
    SourceOptions,
    Word,
    as_bytes,
    check_names,
    milliseconds,
    run_options,
    texts,
    to_json,
    words,
)
from manila._types import CallEffect, Conversion, Decision, Opened, Outcome, Report

if TYPE_CHECKING:
    from typing_extensions import Unpack


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _call(function: str, options: dict[str, Any]) -> tuple[str, bytes | None]:
    check_names(function, options, RunOptions)
    given = options.pop("input", None)
    return run_options(options), None if given is None else as_bytes("input", given)


def run(argv: Sequence[Word], **options: Unpack[RunOptions]) -> Outcome:
    """Runs a program, retries it where that is safe, and returns what came of it.

    A program that fails, does not exist or never answers is an outcome, not an exception. Ctrl-C ends the
    program and raises ``KeyboardInterrupt``.
    """
    written, given = _call("run", dict(options))
    return Outcome(_manila.run(words(argv), written, given, _is_main_thread()))


async def run_async(argv: Sequence[Word], **options: Unpack[RunOptions]) -> Outcome:
    """The same without blocking the event loop.

    A task that is cancelled ends the program first: SIGTERM, and SIGKILL after ``grace``.
    """
    import asyncio  # It is large, and the program `manila` starts without it.

    written, given = _call("run_async", dict(options))
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_manila.Outcome] = loop.create_future()

    def settle(outcome: _manila.Outcome | None, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if outcome is not None:
            future.set_result(outcome)
        elif error is not None:
            future.set_exception(error)

    def done(outcome: _manila.Outcome | None, error: BaseException | None) -> None:
        try:
            loop.call_soon_threadsafe(settle, outcome, error)
        except RuntimeError:
            pass  # The loop was closed; no task waits.

    call = _manila.start(words(argv), written, given, done)
    try:
        return Outcome(await asyncio.shield(future))
    except asyncio.CancelledError:
        call.cancel()
        # Nothing of the program is left when the task ends. A second cancellation does not wait.
        await asyncio.wait([future])
        raise


def open(stdout: bytes | str = b"", **options: Unpack[SourceOptions]) -> Opened:
    """Finds the envelope in what a program wrote, in whatever dialect. Raises ``Error`` if there is none."""
    out, err, written = _source("open", stdout, dict(options), SourceOptions)
    return Opened(_manila.open(out, err, written))


def decide(answer: bytes | str | Outcome = b"", **options: Unpack[DecideOptions]) -> Decision:
    """Decides what a caller should do about what a program wrote, or about an outcome."""
    given: dict[str, Any] = dict(options)
    stdout: bytes | str
    if isinstance(answer, Outcome):
        steps = answer.trace["steps"]
        code = answer.exit_code
        if code is None and answer.signal is not None:
            code = -answer.signal
        given = {
            "stderr": answer.stderr,
            "exit_code": code,
            "argv": steps[-1]["argv"] if steps else [],
            **given,
        }
        stdout = answer.stdout
    else:
        stdout = answer
    remaining = given.pop("remaining", None)
    out, err, written = _source("decide", stdout, given, DecideOptions, remaining)
    return Decision._of(_manila.decide(out, err, written))


def convert(
    answer: bytes | str | Outcome, *, to: str, **options: Unpack[SourceOptions]
) -> Conversion:
    """Writes what a program wrote, or an outcome, in another dialect, and lists what that cannot say."""
    if isinstance(answer, Outcome):
        if options:
            raise TypeError("convert() takes no further options with an outcome")
        return Conversion._of(answer._inner.convert(to))
    out, err, written = _source("convert", answer, dict(options), SourceOptions)
    return Conversion._of(_manila.convert(out, err, to, written))


def _source(
    function: str,
    stdout: bytes | str,
    options: dict[str, Any],
    known: type,
    remaining: Any = None,
) -> tuple[bytes, bytes, str]:
    check_names(function, options, known)
    stderr = as_bytes("stderr", options.pop("stderr", b""))
    written = {name: value for name, value in options.items() if value is not None}
    if remaining is not None:
        written["remaining_ms"] = milliseconds("remaining", remaining)
    return as_bytes("stdout", stdout), stderr, to_json(written)


def effects(call: Sequence[Word] | str) -> CallEffect:
    """Says what a call would change, without running it. Text is a command line of a shell."""
    if isinstance(call, str):
        return CallEffect._of(_manila.effects_of_line(call))
    return CallEffect._of(_manila.effects(texts(call)))


def check(argv: Sequence[Word] = (), **options: Unpack[CheckOptions]) -> Report:
    """Checks what a program answers. Only calls that are known to be read-only are made.

    A program that breaks rules is a report, not an exception.
    """
    given: dict[str, Any] = dict(options)
    check_names("check", given, CheckOptions)
    written = {name: value for name, value in given.items() if value is not None}
    for name in ("deadline", "limit"):
        if name in written:
            written[f"{name}_ms"] = milliseconds(name, written.pop(name))
    return Report(_manila.check(texts(argv), to_json(written), _is_main_thread()))
