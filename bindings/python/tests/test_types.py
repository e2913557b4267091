"""The types: what mypy accepts, and what it refuses."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("mypy") is None, reason="SKIPPED: mypy is not installed"
)

GOOD = """
import asyncio
from datetime import timedelta
from pathlib import Path
import manila

outcome: manila.Outcome = manila.run(["git", Path("x"), b"y"], timeout=timedelta(seconds=1), cwd=Path("/"))
code: int | None = outcome.exit_code
raw: bytes = outcome.stdout
action: str = outcome.next.action
if outcome.error is not None:
    message: str = outcome.error.message
later: manila.Outcome = asyncio.run(manila.run_async(["true"], retries=1))
conforms: bool = manila.check(["true"], fail_on="warning").conforms
losses: tuple[manila.Loss, ...] = manila.convert(outcome, to="td/1").losses
effect: str = manila.effects("git log").effect
decision: manila.Decision = manila.decide(b"", exit_code=1)
data: object = manila.open("{}").data
"""


def mypy(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "mypy", "--strict", *arguments]
    return subprocess.run(argv, capture_output=True, text=True, cwd=cwd, check=False)


def test_the_package_is_typed(tmp_path: Path) -> None:
    checked = mypy("-p", "manila", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout


def test_what_is_right_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(GOOD)
    checked = mypy("good.py", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout


WRONG = [
    'manila.run(["true"], tiemout=1)',
    'manila.run(["true"], trust="everybody")',
    'manila.run(["true"]).exit_code + 1',
    'manila.run(["true"]).error.code',
    "manila.run(3)",
    'await manila.run(["true"])',
    'manila.check(["true"], fail_on="fatal")',
    'manila.convert(b"")',
]


def test_what_is_wrong_is_refused(tmp_path: Path) -> None:
    text = ["import manila", "async def main() -> None:", *(f"    {wrong}" for wrong in WRONG)]
    (tmp_path / "wrong.py").write_text("\n".join(text) + "\n")
    said = mypy("wrong.py", cwd=tmp_path).stdout
    for line, wrong in enumerate(WRONG, start=3):
        assert f"wrong.py:{line}: error" in said, f"{wrong}\n{said}"


def test_the_stubs_are_those_of_the_extension_module(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "mypy.stubtest", "manila._manila", "--ignore-missing-stub"]
    checked = subprocess.run(argv, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert checked.returncode == 0, checked.stdout
