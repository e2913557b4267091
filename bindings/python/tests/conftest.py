"""Small programs that tests run."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

# A background job of a shell ignores interrupts, and so would every program that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

Script = Callable[[str, str], Path]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """``script(name, text)`` is an executable shell script of that name."""

    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    """A named pipe: opening it waits for the other side, so that no test sleeps."""
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
