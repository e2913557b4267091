"""What can be said without running anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import manila

RATE = (
    b'{"ok":false,"data":null,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"slow down",'
    b'"retryable":true,"retry_after":30},"warnings":[],"meta":{"duration_ms":6}}'
)


def test_open() -> None:
    opened = manila.open(b"Warning: x\n" + RATE, exit_code=11)
    assert not opened.ok and opened.data is None
    assert opened.error is not None
    assert (opened.error.code, opened.error.wait_ms) == ("RATE_LIMIT_EXCEEDED", 30_000)
    assert (opened.dialect, opened.stream) == ("response-envelope/1.0", "stdout")
    assert opened.exit_class == "RATE_LIMITED"
    assert [fact["fact"] for fact in opened.facts] == ["prose-before"]
    assert manila.open("", stderr='{"ok":false,"error":{"code":"X","message":"m"}}', exit_code=1).stream == "stderr"


def test_no_envelope_is_our_failure() -> None:
    with pytest.raises(manila.Error) as raised:
        manila.open(b"hello\n")
    assert raised.value.kind == "no-envelope"
    assert raised.value.hint and raised.value.hint in str(raised.value)
    with pytest.raises(manila.Error) as raised:
        manila.open(b"")
    assert raised.value.kind == "empty"
    with pytest.raises(manila.Error) as raised:
        manila.open(b"[" * 10_000, max_depth=100)
    assert raised.value.kind == "too-deep"


def test_decide() -> None:
    first = manila.decide(RATE, exit_code=11)
    assert (first.action, first.wait_ms) == ("retry", 30_000)
    assert first.exit_class == "RATE_LIMITED" and first.row
    assert manila.decide(RATE, exit_code=11, attempt=9).action != "retry"
    assert manila.decide(RATE, exit_code=11, remaining=5).action == "give-up"
    assert manila.decide(b"hello\n", exit_code=1).action == "inspect-state"
    with pytest.raises(ValueError, match="attempt begins at 1"):
        manila.decide(RATE, attempt=0)


def test_decide_knows_programs() -> None:
    reset = b"fatal: the remote end hung up unexpectedly\n"
    fetch = manila.decide(stderr=reset, exit_code=128, argv=["git", "fetch"])
    push = manila.decide(stderr=reset, exit_code=128, argv=["git", "push", "--force"])
    assert (fetch.action, push.action) == ("retry", "inspect-state")
    assert push.effects == "destroys"


def test_decide_about_an_outcome() -> None:
    outcome = manila.run(["sh", "-c", "exit 9"])
    assert manila.decide(outcome).action == outcome.next.action
    assert manila.decide(manila.run(["true"])).action in ("accept", "inspect-state")


def test_convert() -> None:
    converted = manila.convert(RATE, to="td/1", exit_code=11)
    assert (converted.stream, converted.exit_code) == ("stderr", 1)
    assert json.loads(converted.document)["error"]["code"] == "RATE_LIMIT_EXCEEDED"
    lost = {loss.field: loss.fate for loss in converted.losses}
    assert lost["meta.duration_ms"] == "dropped"
    outcome = manila.convert(manila.run(["echo", "[1]"]), to="animus/1")
    assert json.loads(outcome.document)["data"] == [1]
    with pytest.raises(ValueError, match='"tt/1" is not a dialect'):
        manila.convert(RATE, to="tt/1")
    with pytest.raises(TypeError, match="no further options"):
        manila.convert(manila.run(["true"]), to="td/1", exit_code=1)


def test_effects() -> None:
    assert manila.effects(["git", "log"]).effect == "none"
    assert manila.effects(["git", "log"]).repeatable
    force = manila.effects(["git", "push", "--force"])
    assert force.effect == "destroys" and not force.repeatable and force.evidence
    line = manila.effects("git log && rm -rf build")
    assert (line.effect, line.part) == ("destroys", "rm -rf build")
    assert manila.effects(["./unheard-of"]).effect == "unknown"
    assert manila.effects([Path("/usr/bin/git"), b"log"]).effect == "none"


def test_mistakes_of_the_caller() -> None:
    with pytest.raises(TypeError, match="open.. got an unexpected keyword argument 'status'"):
        manila.open(b"", status=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="stdout is bytes or text"):
        manila.open(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        manila.open(RATE, exit_code="x")  # type: ignore[arg-type]
