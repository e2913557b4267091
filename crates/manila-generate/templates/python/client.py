# {{header}}
# Do not edit: change what it is made from and generate it again.
"""Answers in {{dialect}}, as a caller reads them.

`read()` makes an `Answer` of what a call left behind and raises `Contradiction` when the
process, the document and the contract disagree. `decide()` says what to do next.
"""

from __future__ import annotations

import json
{{imports}}

Json = Union[None, bool, int, float, str, Sequence["Json"], Mapping[str, "Json"]]

ExitClass = Literal[
    {{exit_classes}}
]

Retry = Literal["not-needed", "yes", "depends", "after-fix", "no"]

Effects = Literal["complete", "none", "partial", "unknown"]

# The class of each exit code.
EXIT_CLASSES: Final[Mapping[int, ExitClass]] = {
    {{exits}}
}

# Whether a call may be made again, and what it may have changed.
CONCLUSIONS: Final[Mapping[ExitClass, tuple[Retry, Effects]]] = {
    {{conclusions}}
}

# The classes of the error codes that the dialect names.
CODE_CLASSES: Final[Mapping[str, ExitClass]] = {{code_classes}}

ErrorCode = Literal[
    {{error_codes}}
]


{{#types}}
{{types}}


{{/types}}
T = TypeVar("T")
C = TypeVar("C", bound=str)


@dataclass(frozen=True)
class Redirect:
    """The command that replaces the one that was called."""

    command: str
    permanent: bool


@dataclass(frozen=True)
class Failure(Generic[C]):
    """What went wrong. What the document does not say is None."""

    code: C
    message: str
    suggestion: Optional[str] = None
    retryable: Optional[bool] = None
    wait_ms: Optional[int] = None
    strategy: Optional[str] = None
    phase: Optional[str] = None
    fix_required: Optional[str] = None
    fix_command: Optional[str] = None
    redirect: Optional[Redirect] = None


@dataclass(frozen=True)
class Answer(Generic[T, C]):
    """What a call answered. `ok` follows from the exit code."""

    exit_code: int
    exit_class: ExitClass
    data: Optional[T] = None
    error: Optional[Failure[C]] = None
    warnings: tuple[str, ...] = ()
    not_modified: bool = False
    truncated: bool = False
    cursor: Optional[str] = None

    @property
    def ok(self) -> bool:
        """Whether the exit code is 0."""
        return self.exit_code == 0


class Contradiction(Exception):
    """An answer that cannot be believed, and the row of the decision table that it falls under."""

    def __init__(self, row: str, exit_code: int, message: str) -> None:
        super().__init__(message)
        self.row = row
        self.exit_code = exit_code


def read(
    stdout: str, stderr: str, exit_code: int, command: Optional[str] = None
) -> Answer[Json, str]:
    """Reads what a call left behind. An exit code below 0 is a signal."""
    {{stream}}
    try:
        document = json.loads(text)
    except ValueError as problem:
        message = f"there is no document: {problem}"
        raise Contradiction("no-envelope", exit_code, message) from None
    if not isinstance(document, dict):
        raise Contradiction("no-envelope", exit_code, "the document is no object")
    {{claimed}}
    if exit_code == 0 and claimed is False:
        message = "exit code 0, and the document says that it failed"
        raise Contradiction("ok-false-exit-zero", exit_code, message)
    if exit_code != 0 and claimed is True:
        message = f"exit code {exit_code}, and the document says that it succeeded"
        raise Contradiction("ok-true-exit-nonzero", exit_code, message)
{{#error_always}}
    if "{{error_key}}" not in document:
        raise Contradiction("error-key-absent", exit_code, "there is no error key")
{{/error_always}}
{{#nothing_said}}
    meta = document.get("{{meta_key}}")
    reasons = [{{no_data}}]
    has_reason = isinstance(meta, dict) and any(meta.get(name) for name in reasons)
    is_empty = document.get("data") is None and document.get("error") is None
    if is_empty and not has_reason:
        raise Contradiction("data-and-error-null", exit_code, "neither data nor error")
{{/nothing_said}}
    broken = violations(ENVELOPE_SCHEMA, document, ENVELOPE_SCHEMA)
    data = {{data}}
    schema = None if command is None else DATA_SCHEMAS.get(command)
    if exit_code == 0 and data is not None and schema is not None:
        broken += violations(schema, data, DEFINITIONS, "data")
    error = None if exit_code == 0 else _failure(document, exit_code)
    codes = None if command is None else COMMAND_CODES.get(command)
    if error is not None and codes is not None and error.code not in codes:
        broken.append(f"error.code: {error.code} is not a code of this command")
    if broken:
        raise Contradiction("no-envelope", exit_code, "; ".join(broken))
    return Answer(
        exit_code=exit_code,
        exit_class=_class(exit_code, "" if error is None else error.code),
        data=data if exit_code == 0 else None,
        error=error,
        warnings={{warnings}},
        not_modified={{not_modified}},
        truncated={{truncated}},
        cursor={{cursor}},
    )


def _failure(document: dict[str, object], exit_code: int) -> Failure[str]:
{{#issue_error}}
    issues = [one for one in _list(document.get("issues")) if isinstance(one, dict)]
    issues.sort(key=lambda issue: issue.get("severity") != "error")
    issue = issues[0] if issues else {}
    code = _text(issue.get("code")) or EXIT_CLASSES.get(exit_code, "GENERAL_ERROR")
    return Failure(code=code, message=_text(issue.get("message")) or code)
{{/issue_error}}
{{^issue_error}}
    return Failure(
        {{failure}}
    )
{{/issue_error}}


def _class(exit_code: int, code: str) -> ExitClass:
{{#coarse}}
    by_number = EXIT_CLASSES.get(exit_code, "GENERAL_ERROR")
    if by_number != "GENERAL_ERROR" or exit_code < 0:
        return by_number
    # One number covers many classes, and the code says which.
    if code in CODE_CLASSES:
        return CODE_CLASSES[code]
    for name in CONCLUSIONS:
        if name == code and name != "SUCCESS":
            return name
    if code.lower().endswith("not_found"):
        return "NOT_FOUND"
    return "AUTH_REQUIRED" if code.lower().startswith("token_") else by_number
{{/coarse}}
{{^coarse}}
    return EXIT_CLASSES.get(exit_code, "GENERAL_ERROR")
{{/coarse}}


def _at(value: object, *path: str) -> object:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _flag(value: object) -> Optional[bool]:
    return value if isinstance(value, bool) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
{{#wait_ms}}


def _number(value: object) -> Optional[int]:
    return value if isinstance(value, int) else None
{{/wait_ms}}
{{#wait_seconds}}


def _milliseconds(value: object) -> Optional[int]:
    return value * 1000 if isinstance(value, int) else None
{{/wait_seconds}}
{{#has_redirect}}


def _redirected(value: object) -> Optional[Redirect]:
    command, permanent = _text(_at(value, "command")), _flag(_at(value, "permanent"))
    return None if command is None else Redirect(command, permanent is True)
{{/has_redirect}}
{{#payload}}


def _payload(document: dict[str, Json]) -> Json:
    """The members beside the envelope's own, or what stands below `data`."""
    {{own_set}}
    members = {name: value for name, value in document.items() if name not in own}
    return members["data"] if list(members) == ["data"] else members
{{/payload}}


{{decide}}


# The error codes of each command.
COMMAND_CODES: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(codes)
    for name, codes in json.loads(
        r"""
{{command_codes}}
"""
    ).items()
}

# The JSON Schema that every document satisfies.
ENVELOPE_SCHEMA: Final[dict[str, object]] = json.loads(
    r"""
{{schema}}
"""
)

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


{{checker}}
{{#command_functions}}


{{command_functions}}
{{/command_functions}}
