"""Fixtures for the tests of a command-line program: does it conform, and does it keep its contract?

``manila_conforms`` is ``manila check`` as an assertion, ``manila_verify`` is ``manila verify``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

import manila
from manila._options import CheckOptions, StrPath, Word, texts

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: The exit code of `manila verify` for a contract that is not kept.
_FINDINGS = 100


def conforms(argv: Sequence[Word] = (), **options: Unpack[CheckOptions]) -> manila.Report:
    """Fails, with the whole report, unless a program conforms.

    Where the system cannot confine the program, every call is made all the same: a project trusts its own
    program. Pass ``unconfined=False`` to call nothing but ``--help`` and ``--version`` there.
    """
    __tracebackhide__ = True
    options.setdefault("unconfined", True)
    report = manila.check(argv, **options)
    if not report.conforms:
        pytest.fail(report.render(), pytrace=False)
    return report


def verify(argv: Sequence[Word] = (), *arguments: str, cwd: StrPath | None = None) -> None:
    """Fails, with every difference, unless a program keeps the contract in ``manila.lock``.

    ``arguments`` go to ``manila verify`` before the program, such as ``"--fixtures", "tests/json"``. With
    ``MANILA_BLESS=1`` in the environment the contract is rewritten instead.
    """
    __tracebackhide__ = True
    if not _has_verify():
        pytest.skip("this manila has no command `verify`; install one that has")
    bless = ["--bless"] if os.environ.get("MANILA_BLESS") == "1" else []
    program = texts(argv)
    ran = _manila("verify", *bless, *arguments, *(["--", *program] if program else []), cwd=cwd)
    if ran.returncode == 0:
        return
    said = (ran.stdout + ran.stderr).strip()
    if ran.returncode == _FINDINGS:
        pytest.fail(said, pytrace=False)
    raise manila.Error(said, "verify")


def _manila(*arguments: str, cwd: StrPath | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "manila", *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        cwd=cwd,
        check=False,
    )


def _has_verify() -> bool:
    return _manila("verify", "--help").returncode == 0


@pytest.fixture
def manila_conforms() -> Callable[..., manila.Report]:
    """``manila_conforms(["./notes"])`` fails unless the program conforms."""
    return conforms


@pytest.fixture
def manila_verify() -> Callable[..., None]:
    """``manila_verify(["./notes"])`` fails unless the program keeps its contract."""
    return verify
