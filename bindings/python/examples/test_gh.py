"""Both callers of `gh` behave the same, but for what only one of them knows."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import gh_by_hand
import gh_with_manila
import pytest

BOTH = pytest.mark.parametrize("caller", [gh_by_hand, gh_with_manila])

#: A `gh` that fails FAKE_FAILURES times with FAKE_ERROR, and counts its calls.
FAKE = """#!/bin/sh
echo "$*" >> "$FAKE_DIR/calls"
if [ "$(wc -l < "$FAKE_DIR/calls")" -le "$FAKE_FAILURES" ]; then
    echo "$FAKE_ERROR" >&2
    exit 1
fi
printf '%s\\n' "$FAKE_ANSWER"
"""


class Fake:
    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.monkeypatch = path, monkeypatch

    def answers(self, answer: str, *, after: int = 0, error: str = "") -> None:
        for name, value in (("ANSWER", answer), ("FAILURES", str(after)), ("ERROR", error)):
            self.monkeypatch.setenv(f"FAKE_{name}", value)

    @property
    def calls(self) -> int:
        return len((self.path / "calls").read_text().splitlines())


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    (tmp_path / "gh").write_text(FAKE)
    (tmp_path / "gh").chmod(0o755)
    monkeypatch.setenv("FAKE_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return Fake(tmp_path, monkeypatch)


def call(caller: ModuleType, *args: str) -> Any:
    delay = {"base_delay": 0.0} if caller is gh_by_hand else {}
    return caller.gh(*args, **delay)


@BOTH
def test_json_and_text(fake: Fake, caller: ModuleType) -> None:
    fake.answers('{"title": "x"}')
    assert call(caller, "pr", "view", "1", "--json", "title") == {"title": "x"}
    fake.answers("github.com\n  Logged in")
    assert call(caller, "auth", "status") == "github.com\n  Logged in\n"


@BOTH
def test_a_failure_that_passes_is_tried_again(fake: Fake, caller: ModuleType) -> None:
    fake.answers("[1]", after=1, error="HTTP 503: Service Unavailable (https://api.github.com/graphql)")
    assert call(caller, "pr", "list", "--json", "number") == [1]
    assert fake.calls == 2


@BOTH
def test_a_failure_that_lasts_is_raised_at_once(fake: Fake, caller: ModuleType) -> None:
    fake.answers("", after=9, error="gh: Not Found (HTTP 404)")
    with pytest.raises(caller.GhError, match="Not Found") as raised:
        call(caller, "api", "repos/o/r")
    assert (raised.value.code, fake.calls) == (1, 1)


@BOTH
def test_a_missing_program_is_an_error(caller: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/no/such/directory")
    with pytest.raises(caller.GhError, match="gh"):
        call(caller, "pr", "list")


def test_only_manila_does_not_repeat_what_may_be_done(fake: Fake) -> None:
    lost = 'Post "https://api.github.com/graphql": read tcp 10.0.0.1:1: read: connection reset by peer'
    fake.answers("https://github.com/o/r/pull/8", after=1, error=lost)
    call(gh_by_hand, "pr", "create", "--fill")
    assert fake.calls == 2, "by hand, there may be two pull requests now"
    (fake.path / "calls").unlink()
    with pytest.raises(gh_with_manila.GhError, match="connection reset") as raised:
        call(gh_with_manila, "pr", "create", "--fill")
    assert fake.calls == 1
    assert raised.value.next.action == "inspect-state"


def test_only_manila_leaves_a_quota_alone(fake: Fake) -> None:
    fake.answers("[]", after=9, error="gh: API rate limit exceeded for user ID 1. (HTTP 403)")
    with pytest.raises(gh_by_hand.GhError):
        call(gh_by_hand, "api", "repos/o/r/issues")
    assert fake.calls == 4, "by hand, each try is counted against the same quota"
    (fake.path / "calls").unlink()
    with pytest.raises(gh_with_manila.GhError) as raised:
        call(gh_with_manila, "api", "repos/o/r/issues")
    assert fake.calls == 1
    assert raised.value.next.after_ms is not None and raised.value.next.after_ms >= 60_000


def test_it_deletes_more_than_it_adds() -> None:
    def lines(caller: ModuleType) -> int:
        text = Path(str(caller.__file__)).read_text()
        return len([line for line in text.splitlines() if line.strip()])

    assert lines(gh_with_manila) * 2 < lines(gh_by_hand)
