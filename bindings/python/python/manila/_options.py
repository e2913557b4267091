"""The options of the functions, and how they are written for the extension module."""

from __future__ import annotations

import difflib
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal, TypedDict, Union

StrPath = Union[str, "os.PathLike[str]"]
Word = Union[str, bytes, "os.PathLike[str]"]
#: Seconds, a ``timedelta``, or text such as ``"500ms"``, ``"30s"`` or ``"5m"``.
Time = Union[int, float, timedelta, str]
Trust = Literal["never", "same-program", "any"]


class RunOptions(TypedDict, total=False):
    """What a caller allows in one call, and what the program gets. Everything may be left out."""

    timeout: Time | None
    """How long one attempt may take."""
    deadline: Time | None
    """How long the whole call may take, with all attempts and waits."""
    grace: Time
    """The time between SIGTERM and SIGKILL; 1.5 seconds."""
    linger: Time
    """How long to wait for inherited pipes to close after the program exits; 1 second."""
    max_output: int
    """How many bytes of each stream are kept; 64 MiB."""
    retries: int
    """How often to retry on one error code; 3."""
    max_attempts: int
    """How many attempts there may be in all, for each page; 20."""
    max_pages: int
    """How many pages are fetched; 1000."""
    cursor_flag: str
    """The argument that asks for the page at a cursor; ``--cursor``."""
    idempotent: bool
    """The call may be made twice without harm, whatever is known about its effects."""
    reads: Sequence[str]
    """Beginnings of command lines that only read, such as ``pr view``."""
    accept: Sequence[int]
    """Exit codes that are a success too."""
    max_wait: Time
    """The longest wait; a longer one is handed back in ``Outcome.next``. 2 minutes."""
    retry_window: Time
    """How long after the beginning of the call another attempt may begin; 10 minutes."""
    trust: Trust
    """Whose redirects are followed; ``same-program``."""
    hops: int
    """How many redirects are followed; 5."""
    denied_args: Sequence[str]
    """Reject redirects and fixes that add one of these arguments."""
    fixes: bool
    """Commands that errors state as fixes may be run."""
    refresh: Sequence[str] | None
    """The command that renews the credentials."""
    refresh_from_packs: bool
    """The refresh command of the program's pack may be run, unless it asks a person."""
    dialect: str | None
    """The dialect, if the caller knows it."""
    speaks: Literal["unknown", "dialect", "nothing"]
    """Whether the program answers in an envelope, if the caller knows that."""
    redirect_store: StrPath | None
    """The file in which permanent redirects are remembered."""
    cache: StrPath | None
    """The directory of answers that may still hold."""
    record: StrPath | None
    """The directory in which each attempt is left as a recorded run."""
    log: StrPath | None
    """The file that gets one line for the call."""
    spans: StrPath | None
    """The file that gets one line of OpenTelemetry spans for the call."""
    input: bytes | str | None
    """What the program reads from its stdin, in every attempt; nothing if it is left out."""
    cwd: StrPath | None
    """The directory in which it runs."""
    extra_env: Mapping[str, str | None]
    """Variables that are added to the environment, or removed from it with ``None``."""
    non_interactive: bool
    """An environment in which programs do not prompt, page, colour or open windows."""


class SourceOptions(TypedDict, total=False):
    """What else is known about what a program wrote."""

    stderr: bytes | str
    """What it wrote to stderr."""
    exit_code: int | None
    """How it ended; negative for death by that signal, as ``subprocess`` has it."""
    argv: Sequence[str]
    """The program and its arguments."""
    dialect: str | None
    """The dialect, if the caller knows it."""
    max_bytes: int
    """The largest stream to read."""
    max_depth: int
    """The deepest nesting to read."""


class DecideOptions(SourceOptions, total=False):
    """What happened before this attempt, and what the caller allows."""

    attempt: int
    """The number of this attempt; earlier ones failed with the same code unless ``after`` says otherwise."""
    after: Sequence[str]
    """The error codes of earlier attempts."""
    seen_cursors: Sequence[str]
    """Cursors that were already asked for."""
    followed: Sequence[str]
    """Redirects that were already followed."""
    refreshed: bool
    """The credentials were already renewed."""
    fixed: bool
    """A stated fix was already applied."""
    reissued: bool
    """The call was already repeated without an etag."""
    retries: int
    """How often to retry on one error code; 3."""
    hops: int
    """How many redirects to follow; 5."""
    jitter: float
    """A number from 0 to 1 that spreads waits."""
    remaining: Time | None
    """How much time is left."""
    idempotent: bool
    """The call may be made twice without harm."""
    cached: bool
    """A cached answer exists."""
    fixes: bool
    """Commands that errors state as fixes may be run."""
    refresh: bool
    """The credentials can be refreshed."""
    redirects: Trust
    """Whose redirects are followed; ``same-program``."""


class CheckOptions(TypedDict, total=False):
    """How a program is checked."""

    config: StrPath | None
    """The declaration; ``manila.toml`` in the working directory if it is there."""
    deadline: Time
    """How long the whole check may take; 60 seconds."""
    limit: Time
    """How long one run may take; 5 seconds."""
    jobs: int
    """How many runs are made at a time; as many as there are processors."""
    select: Sequence[str]
    """Rules and families; all if it is left out."""
    ignore: Sequence[str]
    """Rules and families that are left out."""
    fail_on: Literal["error", "warning", "note"]
    """The least severe finding that keeps the program from conforming; ``warning``."""
    strict: bool
    """A rule that is undecided keeps it from conforming too."""
    quick: bool
    """Ask only the most telling rules, of a few commands."""
    keep_network: bool
    """The program may use the network."""
    unconfined: bool
    """Make every call although the system cannot confine the program."""
    record: StrPath | None
    """The directory in which each run is left as a recorded run."""


_TIMES = {"timeout", "deadline", "grace", "linger", "max_wait", "retry_window"}


def check_names(function: str, options: Mapping[str, Any], known: type) -> None:
    """Refuses an option that the function does not have, as Python refuses a keyword argument."""
    names = list(_names(known))
    for name in options:
        if name not in names:
            close = difflib.get_close_matches(name, names, n=1)
            meant = f"; did you mean {close[0]!r}?" if close else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{meant}")


def _names(known: type) -> Iterable[str]:
    for part in reversed(known.__mro__):
        yield from getattr(part, "__annotations__", {})


def milliseconds(name: str, time: Time) -> int:
    """A time as whole milliseconds, rounded up so that a short limit is not none."""
    if isinstance(time, timedelta):
        time = time.total_seconds()
    if isinstance(time, bool) or not isinstance(time, (int, float)):
        raise TypeError(f"{name} is seconds or a timedelta, not {type(time).__name__}")
    if not math.isfinite(time) or time < 0 or time > 1e12:
        raise ValueError(f"{name} is {time!r}, which is no time to wait")
    return math.ceil(time * 1000)


def run_options(options: Mapping[str, Any]) -> str:
    """The options of a call as JSON. What is ``None`` is as if it were left out."""
    written: dict[str, Any] = {}
    for name, value in options.items():
        if value is None:
            continue
        if name in _TIMES and not isinstance(value, str):
            value = f"{milliseconds(name, value)}ms"
        written[name] = value
    return to_json(written)


def to_json(value: Any) -> str:
    return json.dumps(value, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        return path if isinstance(path, str) else os.fsdecode(path)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return list(value)
    raise TypeError(f"{value!r} is of a type that no option has ({type(value).__name__})")


def as_bytes(name: str, value: bytes | bytearray | memoryview | str) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise TypeError(f"{name} is bytes or text, not {type(value).__name__}")


def words(argv: Sequence[Word]) -> list[bytes]:
    """The words of a call. One text is refused: no shell would split it."""
    if isinstance(argv, (str, bytes)):
        raise TypeError('argv is a list of words, such as ["git", "status"]; no shell is involved')
    return [os.fsencode(word) for word in argv]


def texts(argv: Sequence[Word]) -> list[str]:
    return [os.fsdecode(word) for word in words(argv)]
