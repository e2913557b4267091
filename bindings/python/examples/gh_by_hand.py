"""A caller of `gh` as many projects have written it: a loop around `subprocess.run`.

It knows the phrases of failures that pass, and sleeps twice as long after each of them.
"""

from __future__ import annotations

import json
import subprocess
import time
from typing import Any

RETRIES = 3
BASE_DELAY = 2.0
TIMEOUT = 60.0
TRANSIENT = (
    "rate limit",
    "abuse detection",
    "http 500",
    "http 502",
    "http 503",
    "http 504",
    "timed out",
    "timeout",
    "connection reset",
    "connection refused",
    "could not resolve host",
    "unexpected eof",
)


class GhError(Exception):
    """`gh` failed for good."""

    def __init__(self, message: str, code: int | None) -> None:
        super().__init__(message)
        self.code = code


def is_transient(stderr: str) -> bool:
    text = stderr.lower()
    return any(phrase in text for phrase in TRANSIENT)


def gh(*args: str, base_delay: float = BASE_DELAY) -> Any:
    """Calls `gh` and returns its JSON, or its text."""
    message, code = "gh was not called", None
    for attempt in range(RETRIES + 1):
        if attempt > 0:
            time.sleep(base_delay * 2 ** (attempt - 1))
        try:
            result = subprocess.run(
                ["gh", *args],
                capture_output=True,
                text=True,
                timeout=TIMEOUT,
                check=False,
            )
        except FileNotFoundError as error:
            raise GhError("gh is not installed", None) from error
        except subprocess.TimeoutExpired:
            message, code = f"gh took longer than {TIMEOUT} s", None
            continue
        if result.returncode == 0:
            try:
                return json.loads(result.stdout)
            except json.JSONDecodeError:
                return result.stdout
        message, code = result.stderr.strip(), result.returncode
        if not is_transient(result.stderr):
            break
    raise GhError(message, code)
