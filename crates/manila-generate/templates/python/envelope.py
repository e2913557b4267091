# {{header}}
# Do not edit: change what it is made from and generate it again.
"""Answers of a command-line program in {{dialect}}.

A command handler returns `succeed(...)` or `fail(...)`. `respond()` calls the handler, times
it and makes the envelope; handlers never do. `emit()` writes the envelope and returns the
exit code. With MANILA_CHECK=1 every envelope is validated before it is written.
"""

from __future__ import annotations

import json
import os
import sys
import time
{{imports}}

Json = Union[None, bool, int, float, str, Sequence["Json"], Mapping[str, "Json"]]

ExitClass = Literal[
    {{exit_classes}}
]

EXIT_CODES: Final[Mapping[ExitClass, int]] = {
    {{exit_codes}}
}

ErrorCode = Literal[
    {{error_codes}}
]

# The exit code of each error code.
ERROR_EXITS: Final[Mapping[ErrorCode, int]] = {
    {{error_exits}}
}
{{#retryable}}

# The exit codes after which the same call may be made again.
RETRYABLE: Final[frozenset[int]] = {{retryable}}
{{/retryable}}


{{types}}


T = TypeVar("T")


class EnvelopeError(Exception):
    """An answer that contradicts itself. It is a bug in the program, not a failure of a call."""


@dataclass(frozen=True)
class Result(Generic[T]):
    """What a command handler returns. `succeed()` and the functions below it make one."""

    exit_code: int
    data: Optional[T] = None
    error: Optional[ErrorDetail] = None
{{#warnings}}
    warnings: Sequence[str] = ()
{{/warnings}}
{{#issues}}
    issues: Sequence[Issue] = ()
{{/issues}}
{{#meta}}
    meta: ResponseMeta = field(default_factory=lambda: ResponseMeta())
{{/meta}}


{{succeed_signature}}
    """A success with its data."""
    return Result({{succeed_arguments}})


{{fail_signature}}
    """A failure. Its code decides the exit code."""
    exit_code = ERROR_EXITS[code]
    error: ErrorDetail = {{error_literal}}
    return Result({{fail_arguments}})
{{#page}}


Item = TypeVar("Item")


def page(
    items: Sequence[Item], max_bytes: int, cursor: Callable[[int], str] = str
) -> Result[Sequence[Item]]:
    """A list, cut where its JSON would exceed `max_bytes`; `cursor` names where the rest begins."""
    kept = 0
    size = 2
    for item in items:
        size += len(_json(item).encode()) + (1 if kept else 0)
        if size > max_bytes and kept:
            break
        kept += 1
    if kept == len(items):
        return succeed(items)
    return Result(0, items[:kept], meta={"{{truncated}}": True, "{{cursor}}": cursor(kept)})
{{/page}}
{{#cache}}


def not_modified() -> Result[Never]:
    """A cache hit: what the caller has still holds, so that there is no data."""
    return Result(0, meta={"{{not_modified}}": True})
{{/cache}}


@dataclass(frozen=True)
class ResponseEnvelope(Generic[T]):
    """One answer. Only `respond()` makes one; `ok` follows from the exit code."""

    exit_code: int
    data: Optional[T]
    error: Optional[ErrorDetail]
{{#warnings}}
    warnings: Sequence[str]
{{/warnings}}
{{#issues}}
    issues: Sequence[Issue]
{{/issues}}
{{#meta}}
    meta: ResponseMeta
{{/meta}}
{{#kind}}
    kind: str
{{/kind}}
    duration_ms: int

    @property
    def ok(self) -> bool:
        """Whether the exit code is 0."""
        return self.exit_code == 0

    def document(self) -> dict[str, object]:
        """The envelope as {{dialect}} has it."""
        {{document}}

    def to_json(self) -> str:
        """The document as text."""
        return {{to_json}}


{{respond_signature}}
    """Calls a handler, times it, and makes the envelope of what it returns."""
    started = time.monotonic()
    result = handler()
    if result.exit_code != 0 and result.error is None:
        raise EnvelopeError(f"exit code {result.exit_code} without an error")
    if result.exit_code != 0 and result.data is not None:
        raise EnvelopeError(f"exit code {result.exit_code} with data")
    if result.exit_code == 0 and result.error is not None:
        raise EnvelopeError("exit code 0 with an error")
{{#data_needed}}
    {{nothing_said}}
        raise EnvelopeError("neither data nor error")
{{/data_needed}}
    envelope = ResponseEnvelope(
        exit_code=result.exit_code,
        data=result.data,
        error=result.error,
{{#warnings}}
        warnings=result.warnings,
{{/warnings}}
{{#issues}}
        issues=result.issues,
{{/issues}}
{{#meta}}
        meta=result.meta,
{{/meta}}
{{#kind}}
        kind=kind,
{{/kind}}
        duration_ms=round((time.monotonic() - started) * 1000),
    )
    if os.environ.get("MANILA_CHECK") == "1":
        broken = validate(envelope.document(), envelope.exit_code)
{{#samples}}
        schema = None if command is None else DATA_SCHEMAS.get(command)
        if envelope.ok and schema is not None:
            broken += violations(schema, envelope.data, DEFINITIONS, "data")
{{/samples}}
        if broken:
            raise EnvelopeError("; ".join(broken))
    return envelope


def emit(
    envelope: ResponseEnvelope[T],
    stdout: Optional[TextIO] = None,
    stderr: Optional[TextIO] = None,
) -> int:
    """Writes an envelope to its stream and returns the exit code of the process."""
    {{stream}}
    try:
        stream.write(envelope.to_json() + "\n")
        stream.flush()
    except BrokenPipeError:
        # The reader has closed its end. Python flushes again at exit, which must not fail then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return envelope.exit_code


def validate(document: object, exit_code: int) -> list[str]:
    """What is wrong with a document of a run that ended with this exit code."""
    broken = violations(ENVELOPE_SCHEMA, document, ENVELOPE_SCHEMA)
    claim = document.get("{{claim}}") if isinstance(document, dict) else None
    if {{claim_test}}:
        broken.append(f"{{claim}}: {claim!r} contradicts exit code {exit_code}")
    return broken


# The JSON Schema that every document satisfies.
ENVELOPE_SCHEMA: Final[dict[str, object]] = json.loads(
    r"""
{{schema}}
"""
)
{{#samples}}

# The JSON Schema of each command's data.
DATA_SCHEMAS: Final[dict[str, object]] = json.loads(
    r"""
{{data_schemas}}
"""
)

# The definitions that they refer to.
DEFINITIONS: Final[dict[str, object]] = json.loads(
    r"""
{{definitions}}
"""
)
{{/samples}}


{{checker}}
{{#payload}}


def _payload(data: object) -> dict[str, object]:
    """The members of the payload; what cannot stand at the top stands below `data`."""
    if isinstance(data, dict) and not OWN_KEYS & data.keys():
        return dict(data)
    return {"data": data}


# The members that belong to the envelope.
OWN_KEYS: Final[frozenset[str]] = frozenset(
    {
        {{own_keys}}
    }
)
{{/payload}}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
{{#timestamp}}


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
{{/timestamp}}
