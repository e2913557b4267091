"""What the functions answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from manila import _manila


@dataclass(frozen=True)
class Next:
    """What a caller should do next, by the decision table."""

    action: str
    """``accept``, ``retry``, ``give-up``, ``inspect-state``, ``acquire-credentials`` …"""
    after_ms: int | None
    """When, if it is to be called again later."""
    why: str
    """Why."""


@dataclass(frozen=True)
class Failure:
    """Why a program failed."""

    code: str
    message: str
    retryable: bool | None
    """Whether the program says that calling again can help."""
    wait_ms: int | None
    """How long to wait before that."""
    suggestion: str | None
    """What the program says should be done."""
    raw: Mapping[str, Any]
    """Everything that the error says, in the normal form."""

    @classmethod
    def _of(cls, error: Mapping[str, Any]) -> Failure:
        return cls(
            code=error["code"],
            message=error["message"],
            retryable=error.get("retryable"),
            wait_ms=error.get("wait_ms"),
            suggestion=error.get("suggestion"),
            raw=error,
        )


def _failure(error: Mapping[str, Any] | None) -> Failure | None:
    return None if error is None else Failure._of(error)


@dataclass(frozen=True)
class Loss:
    """What a dialect could not say, or had to invent."""

    field: str
    fate: str
    """``dropped``, ``changed`` or ``invented``."""
    value: Any
    """What it was."""
    now: Any
    """What it is now, if it is not dropped."""


@dataclass(frozen=True)
class Conversion:
    """An envelope in another dialect."""

    dialect: str
    document: bytes
    stream: str
    """The stream that the dialect writes it to."""
    exit_code: int
    """The exit code that the dialect gives it."""
    losses: tuple[Loss, ...]
    """What the dialect could not say."""

    @classmethod
    def _of(cls, text: str) -> Conversion:
        fields = json.loads(text)
        losses = tuple(
            Loss(it["field"], it["fate"], it["value"], it["now"]) for it in fields["losses"]
        )
        document = fields["document"].encode()
        return cls(fields["dialect"], document, fields["stream"], fields["exit_code"], losses)


class Outcome:
    """What came of a call: one envelope, the raw bytes behind it, and what to do next."""

    def __init__(self, inner: _manila.Outcome) -> None:
        self._inner = inner

    @property
    def ok(self) -> bool:
        """Whether the call succeeded, by its exit code and its answer."""
        return self._inner.ok

    @cached_property
    def data(self) -> Any:
        """The payload. Text of a program without JSON is ``{"stdout": …}``."""
        text = self._inner.data_json()
        return None if text is None else json.loads(text)

    @cached_property
    def error(self) -> Failure | None:
        """Why it failed; ``None`` if it did not."""
        return None if self.ok else _failure(self.envelope["error"])

    @cached_property
    def next(self) -> Next:
        """What to do next."""
        return Next(*self._inner.next())

    @property
    def exit_code(self) -> int | None:
        """The exit code of the program, if it ended by itself."""
        code: int | None = self._summary.get("exit_code")
        return code

    @property
    def signal(self) -> int | None:
        """The signal that killed it, if one did."""
        signal: int | None = self._summary.get("signal")
        return signal

    @property
    def stopped(self) -> str | None:
        """Why manila ended it, if it did: ``time-limit``, ``cancelled``, ``held-open``, ``terminal``."""
        return self._inner.stopped

    @cached_property
    def stdout(self) -> bytes:
        """What the program wrote to stdout in the attempt that counts."""
        return self._inner.stdout

    @cached_property
    def stderr(self) -> bytes:
        """What it wrote to stderr."""
        return self._inner.stderr

    @property
    def exit_class(self) -> str:
        """The class of the outcome, such as ``RATE_LIMITED``, or ``UNKNOWN``."""
        return str(self._summary["class"])

    @property
    def attempts(self) -> int:
        """How many attempts were made."""
        return int(self._summary["attempts"])

    @property
    def rule(self) -> str | None:
        """The rule that determined the class of a failure, where the program has no envelope."""
        rule: str | None = self._summary.get("rule")
        return rule

    @property
    def dialect(self) -> str | None:
        """The dialect of the program's answer, if it is an envelope."""
        dialect: str | None = self._summary.get("dialect")
        return dialect

    @property
    def warnings(self) -> list[Any]:
        """What went not quite right."""
        warnings: list[Any] = self.envelope["warnings"]
        return warnings

    @cached_property
    def envelope(self) -> dict[str, Any]:
        """The answer in its normal form, whatever dialect it came in."""
        envelope: dict[str, Any] = json.loads(self._inner.envelope_json())
        return envelope

    @cached_property
    def trace(self) -> dict[str, Any]:
        """Every attempt, what it took, what was decided and why."""
        trace: dict[str, Any] = json.loads(self._inner.trace_json())
        return trace

    @cached_property
    def _summary(self) -> dict[str, Any]:
        summary: dict[str, Any] = json.loads(self._inner.summary_json())
        return summary

    def __repr__(self) -> str:
        error = "" if self.error is None else f", error={self.error.code!r}"
        return f"Outcome(ok={self.ok}, exit_code={self.exit_code}{error}, next={self.next.action!r})"


class Opened:
    """An envelope, and how it was found."""

    def __init__(self, text: str) -> None:
        self.raw: dict[str, Any] = json.loads(text)
        """Everything that is known, as ``manila open --json`` has it."""

    @property
    def envelope(self) -> dict[str, Any]:
        """The normal form."""
        envelope: dict[str, Any] = self.raw["envelope"]
        return envelope

    @property
    def ok(self) -> bool:
        return bool(self.envelope["ok"])

    @property
    def data(self) -> Any:
        return self.envelope["data"]

    @cached_property
    def error(self) -> Failure | None:
        return _failure(self.envelope["error"])

    @property
    def exit_class(self) -> str:
        return str(self.envelope["exit"])

    @property
    def dialect(self) -> str:
        return str(self.raw["dialect"])

    @property
    def confidence(self) -> str:
        """``certain``, ``likely`` or ``possible``."""
        return str(self.raw["confidence"])

    @property
    def stream(self) -> str:
        """The stream on which it stood."""
        return str(self.raw["stream"])

    @property
    def facts(self) -> list[dict[str, Any]]:
        """Everything odd about the bytes."""
        facts: list[dict[str, Any]] = self.raw["facts"]
        return facts

    def __repr__(self) -> str:
        return f"Opened(ok={self.ok}, dialect={self.dialect!r}, confidence={self.confidence!r})"


@dataclass(frozen=True)
class Decision:
    """What a caller should do about an answer, and which row of the table says so."""

    action: str
    wait_ms: int | None
    """How long to wait before the next call."""
    why: str
    row: str
    notes: tuple[str, ...]
    """What else a caller should know."""
    dialect: str | None
    exit_class: str | None
    rule: str | None
    """The rule of a pack that determined the class."""
    effects: str | None
    """What the call may change, if its program has a pack."""
    error: Failure | None
    raw: Mapping[str, Any]
    """With what belongs to the action: ``cursor``, ``argv``, ``change`` …"""

    @classmethod
    def _of(cls, text: str) -> Decision:
        fields = json.loads(text)
        return cls(
            action=fields["do"],
            wait_ms=fields.get("wait_ms"),
            why=fields["reason"],
            row=fields["row"],
            notes=tuple(fields["notes"]),
            dialect=fields["dialect"],
            exit_class=fields["exit_class"],
            rule=fields["rule"],
            effects=fields["effects"],
            error=_failure(fields["error"]),
            raw=fields,
        )


@dataclass(frozen=True)
class CallEffect:
    """What a call would change."""

    effect: str
    """``none``, ``idempotent``, ``writes``, ``destroys`` or ``unknown``."""
    why: str
    rule: str
    pack: str | None
    evidence: tuple[str, ...]
    part: str | None
    """The part of the call that decided, if it has several."""

    @property
    def repeatable(self) -> bool:
        """Whether the call may be made twice without harm."""
        return self.effect in ("none", "idempotent")

    @classmethod
    def _of(cls, text: str) -> CallEffect:
        fields = json.loads(text)
        fields["evidence"] = tuple(fields["evidence"])
        return cls(**fields)


@dataclass(frozen=True)
class Finding:
    """A rule that failed, and where."""

    rule: str
    severity: str
    command: tuple[str, ...]
    message: str
    reproduce: str
    """What to type to see it."""


class Report:
    """What a check found."""

    def __init__(self, inner: _manila.Report) -> None:
        self._inner = inner

    @property
    def conforms(self) -> bool:
        return self._inner.conforms

    @property
    def outcome(self) -> str:
        """``conforms``, ``does-not-conform`` or ``inconclusive``: nothing failed, but most is undecided."""
        return str(self.raw["outcome"])

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(
            Finding(
                rule=rule["id"],
                severity=rule["severity"],
                command=tuple(finding["command"]),
                message=finding["message"],
                reproduce=finding["reproduce"],
            )
            for rule in self.raw["rules"]
            for finding in rule["findings"]
        )

    @cached_property
    def raw(self) -> dict[str, Any]:
        """The whole report, as ``manila check --format json`` has it."""
        raw: dict[str, Any] = json.loads(self.render("json"))
        return raw

    def render(self, format: str = "human") -> str:
        """The report in a format of ``manila check``: human, json, sarif, junit, github, markdown, html."""
        return self._inner.render(format)

    def __repr__(self) -> str:
        return f"Report(outcome={self.outcome!r}, findings={len(self.findings)})"
