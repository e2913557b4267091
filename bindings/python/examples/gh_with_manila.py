"""The same caller of `gh` on the package."""

from __future__ import annotations

from typing import Any

import manila


class GhError(Exception):
    """`gh` failed for good; `next` says what can be done about it."""

    def __init__(self, outcome: manila.Outcome) -> None:
        super().__init__(outcome.error.message if outcome.error else "gh failed")
        self.code, self.next = outcome.exit_code, outcome.next


def gh(*args: str) -> Any:
    """Calls `gh` and returns its JSON, or its text."""
    outcome = manila.run(["gh", *args], timeout=60, max_wait=14)
    if not outcome.ok:
        raise GhError(outcome)
    is_text = outcome.trace["plain"]
    return outcome.stdout.decode() if is_text else outcome.data
