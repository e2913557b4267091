"""The command `manila` that the package installs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import is_alive

MANILA = [sys.executable, "-m", "manila"]


def test_it_is_installed_as_a_command() -> None:
    script = shutil.which("manila", path=str(Path(sys.executable).parent))
    assert script
    said = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    assert said.startswith("manila ")


def test_it_ends_as_the_program_it_ran() -> None:
    ran = subprocess.run([*MANILA, "run", "sh", "-c", "echo out; echo err >&2; exit 7"], capture_output=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (7, b"out\n", b"err\n")
    killed = subprocess.run([*MANILA, "run", "sh", "-c", "kill -USR1 $$"])
    assert killed.returncode == -signal.SIGUSR1


def test_its_answers_are_envelopes() -> None:
    ran = subprocess.run([*MANILA, "effects", "--json", "--", "git", "log"], capture_output=True, check=True)
    assert json.loads(ran.stdout)["data"]["effect"] == "none"
    wrong = subprocess.run([*MANILA, "open", "--json", "/no/such/file"], capture_output=True)
    assert (wrong.returncode, json.loads(wrong.stdout)["error"]["code"]) == (5, "FILE_NOT_FOUND")


def test_its_own_words_are_parsed_and_not_those_of_the_interpreter(tmp_path: Path) -> None:
    # The interpreter is called with a file whose name is that of a command.
    (tmp_path / "check").write_text("import sys\nfrom manila.__main__ import main\nsys.exit(main())\n")
    ran = subprocess.run([sys.executable, "check", "effects", "--", "true"], cwd=tmp_path, capture_output=True)
    assert (ran.returncode, ran.stdout.split()[0]) == (0, b"none"), ran


def test_any_bytes_are_words() -> None:
    ran = subprocess.run([*MANILA, "run", "printf", "%s", b"\xff"], capture_output=True)
    assert ran.stdout == b"\xff"


@pytest.mark.parametrize("mode", [[], ["--json"]])
def test_an_interrupt_ends_it_and_its_program(fifo: Path, mode: list[str]) -> None:
    argv = [*MANILA, "run", *mode, "--", "sh", "-c", f"echo $$ > {fifo}; exec sleep 600"]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    pid = int(fifo.read_text())
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    assert process.returncode != 0
    assert b"Traceback" not in stderr
    assert not is_alive(pid)


def test_a_reader_that_closes_its_end_is_no_failure_of_ours() -> None:
    read, write = os.pipe()
    process = subprocess.Popen([*MANILA, "check", "--list"], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    os.close(read)
    _, stderr = process.communicate()
    assert b"Traceback" not in stderr and b"panicked" not in stderr
