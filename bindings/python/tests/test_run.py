"""A call: what comes of it, what is refused, and that others go on meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from conftest import Script, is_alive

import manila


def test_text_is_data_and_raw_bytes() -> None:
    outcome = manila.run(["printf", "a\\377b"])
    assert outcome.ok and outcome.error is None
    assert outcome.stdout == b"a\xffb"
    assert outcome.exit_code == 0
    assert outcome.next.action == "accept"
    text = manila.run(["echo", "hello"])
    assert text.data == {"stdout": "hello\n"}


def test_json_is_data() -> None:
    outcome = manila.run(["echo", '{"n": 12345678901234567890123, "s": "\\ud83d\\ude00"}'])
    assert outcome.data == {"n": 12345678901234567890123, "s": "\U0001f600"}


def test_an_envelope_is_opened_in_its_dialect(script: Script) -> None:
    answer = '{"ok":false,"data":null,"error":{"code":"NO_SUCH_NOTE","message":"no note 7"},"warnings":[],"meta":{}}'
    outcome = manila.run([script("notes", f"echo '{answer}'; exit 5")])
    assert not outcome.ok
    assert outcome.error is not None
    assert (outcome.error.code, outcome.error.message) == ("NO_SUCH_NOTE", "no note 7")
    assert outcome.exit_class == "NOT_FOUND"
    assert outcome.dialect == "response-envelope/1.0"
    assert outcome.envelope["error"]["code"] == "NO_SUCH_NOTE"
    assert outcome.envelope["meta"]["extra"]["run"]["exit_code"] == 5
    assert "NO_SUCH_NOTE" in repr(outcome)


def test_a_failure_is_an_outcome() -> None:
    outcome = manila.run(["sh", "-c", "echo broken >&2; exit 3"])
    assert not outcome.ok
    assert outcome.exit_code == 3
    assert outcome.stderr == b"broken\n"
    assert outcome.next.action != "accept"


def test_a_program_that_does_not_exist_is_an_outcome() -> None:
    outcome = manila.run(["no-such-program-anywhere"])
    assert not outcome.ok
    assert outcome.exit_code is None
    assert outcome.error is not None and "no-such-program-anywhere" in outcome.error.message


def test_a_program_that_dies_of_a_signal(script: Script) -> None:
    outcome = manila.run([script("dies", "kill -KILL $$")])
    assert (outcome.exit_code, outcome.signal) == (None, signal.SIGKILL)


@pytest.mark.parametrize("limit", [0.2, timedelta(milliseconds=200), "200ms"])
def test_a_limit_ends_the_program(limit: Any) -> None:
    outcome = manila.run(["sleep", "600"], timeout=limit, retries=0)
    assert not outcome.ok
    assert outcome.stopped == "time-limit"
    assert outcome.exit_class == "TIMEOUT"


def test_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MANILA_TEST_GONE", "x")
    outcome = manila.run(
        ["sh", "-c", 'cat; printf "|%s|%s|" "$MANILA_TEST_SET" "$MANILA_TEST_GONE"; pwd'],
        input=b"in\x00put",
        cwd=tmp_path,
        extra_env={"MANILA_TEST_SET": "set", "MANILA_TEST_GONE": None},
    )
    assert outcome.stdout == b"in\x00put|set||" + os.fsencode(tmp_path.resolve()) + b"\n"
    assert manila.run(["cat"], input="text").stdout == b"text"
    assert manila.run(["cat"]).stdout == b""


def test_a_word_may_be_any_bytes() -> None:
    assert manila.run(["printf", "%s", b"\xff"]).stdout == b"\xff"
    assert manila.run(["printf", "%s", os.fsdecode(b"\xff")]).stdout == b"\xff"


def test_what_passes_is_tried_again_where_that_is_safe(script: Script, tmp_path: Path) -> None:
    text = f"""
        echo x >> {tmp_path}/calls
        if [ $(wc -l < {tmp_path}/calls) -lt 3 ]; then
            echo '{{"ok":false,"data":null,"error":{{"code":"BUSY","message":"busy","retryable":true,"retry_after":0}},"warnings":[],"meta":{{}}}}'
            exit 11
        fi
        echo '{{"ok":true,"data":[1],"error":null,"warnings":[],"meta":{{}}}}'"""
    outcome = manila.run([script("busy", text)], idempotent=True)
    assert outcome.ok and outcome.data == [1]
    assert outcome.attempts == 3
    assert [step["decision"]["do"] for step in outcome.trace["steps"]] == ["retry", "retry", "accept"]


def test_what_may_have_had_effects_is_not_tried_again(script: Script, tmp_path: Path) -> None:
    text = f"echo x >> {tmp_path}/calls; echo 'Connection reset by peer' >&2; exit 1"
    outcome = manila.run([script("deploy", text)])
    assert not outcome.ok
    assert (tmp_path / "calls").read_text() == "x\n"


def test_mistakes_of_the_caller() -> None:
    with pytest.raises(TypeError, match="list of words"):
        manila.run("git status")
    with pytest.raises(TypeError, match="unexpected keyword argument 'tiemout'; did you mean 'timeout'"):
        manila.run(["true"], tiemout=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="argv has no program"):
        manila.run([])
    with pytest.raises(ValueError, match="dialect: .*is not a dialect"):
        manila.run(["true"], dialect="tt/1")
    with pytest.raises(ValueError, match="timeout: .*is not a time"):
        manila.run(["true"], timeout="soon")
    with pytest.raises(ValueError, match="no time to wait"):
        manila.run(["true"], timeout=-1)
    with pytest.raises(ValueError, match="no time to wait"):
        manila.run(["true"], timeout=float("nan"))
    with pytest.raises(ValueError, match="retries: "):
        manila.run(["true"], retries=-1)
    with pytest.raises(TypeError, match="input is bytes or text"):
        manila.run(["true"], input=3)  # type: ignore[arg-type]


def test_other_threads_work_meanwhile(fifo: Path) -> None:
    # The program waits for a thread of this process: with the lock held it would never end.
    def feed() -> None:
        fifo.write_bytes(b"fed")

    thread = threading.Thread(target=feed)
    thread.start()
    outcome = manila.run(["cat", fifo], timeout=120)
    thread.join()
    assert outcome.ok and outcome.stdout == b"fed"


def test_it_works_in_other_threads() -> None:
    outcomes: list[manila.Outcome] = []
    threads = [
        threading.Thread(target=lambda: outcomes.append(manila.run(["echo", "x"])))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [outcome.stdout for outcome in outcomes] == [b"x\n"] * 8


def test_an_interrupt_ends_the_program_and_is_raised(fifo: Path) -> None:
    code = f"""
import manila
try:
    manila.run(["sh", "-c", "echo $$ > {fifo}; exec sleep 600"])
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid = int(fifo.read_text())
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate()
    assert stdout == "interrupted\n"
    assert process.returncode == 0
    assert not is_alive(pid)


def test_the_first_line_of_the_readme() -> None:
    code = 'import manila; print(manila.run(["git","status"]).next)'
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("Next(action=")
