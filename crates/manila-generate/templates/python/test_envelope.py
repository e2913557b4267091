# {{header}}
# Do not edit: change what it is made from and generate it again.
"""Tests of envelope.py. Run them with `python3 -m pytest {directory}`."""

import copy
import io
import json
import os
import sys
from typing import Any, Final

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import envelope as program  # noqa: E402

# The documents that each path must produce.
EXPECTED: Final[dict[str, Any]] = json.loads(
    r"""
{{expected}}
"""
)

# Changes of those documents that break a rule: a member that is set or removed.
BROKEN: Final[list[dict[str, Any]]] = json.loads(
    r"""
{{broken}}
"""
)

# Changes that break none.
ACCEPTED: Final[list[dict[str, Any]]] = json.loads(
    r"""
{{accepted}}
"""
)
{{#samples}}

# A payload of each command.
SAMPLES: Final[list[list[Any]]] = json.loads(
    r"""
{{samples}}
"""
)
{{/samples}}

DATA: Final[Any] = {{data}}
CODE: Final[Any] = {{failure_code}}
MORE: Final[Any] = {{failure_more}}


@pytest.fixture(autouse=True)
def check_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MANILA_CHECK", "1")


def answer(result: "program.Result[Any]") -> "program.ResponseEnvelope[Any]":
    return program.respond(lambda: result{{kind_argument}})


def failed() -> "program.Result[Any]":
    return program.fail(CODE, "There is no such thing"{{more_argument}})


def settled(document: Any) -> Any:
    """The document with what differs from run to run replaced."""
    document = copy.deepcopy(document)
{{#volatile}}
    for path, value in {{volatile}}:
        change(document, path, {"value": value})
{{/volatile}}
    return document


def change(document: Any, path: str, edit: dict[str, Any]) -> Any:
    *parents, last = path.split(".")
    inner = document
    for name in parents:
        inner = inner[name]
    if "value" in edit:
        inner[last] = edit["value"]
    else:
        del inner[last]
    return document


def broken(document: Any) -> list[str]:
    schema = program.ENVELOPE_SCHEMA
    return program.violations(schema, document, schema)


def test_success() -> None:
    envelope = answer(program.succeed(DATA))
    assert envelope.ok is True
    assert envelope.exit_code == 0
    assert envelope.error is None
    assert settled(envelope.document()) == EXPECTED["success"]


def test_failure() -> None:
    envelope = answer(failed())
    assert envelope.ok is False
    assert envelope.exit_code == {{failure_exit}}
    assert envelope.data is None
    assert settled(envelope.document()) == EXPECTED["failure"]
{{#page}}


def test_truncation() -> None:
    items = [{"id": number} for number in range(5)]
    envelope = answer(program.page(items, 30))
    assert settled(envelope.document()) == EXPECTED["truncation"]
    whole = answer(program.page(items, 60))
    assert whole.data == items
    assert "{{truncated}}" not in whole.meta
    exact = answer(program.page(items, 46))
    assert exact.data == items
    short = answer(program.page(items, 45))
    assert short.data == items[:4]
    one = answer(program.page(items, 1))
    assert one.data == items[:1]
{{/page}}
{{#cache}}


def test_cache_hit() -> None:
    envelope = answer(program.not_modified())
    assert envelope.ok is True
    assert envelope.exit_code == 0
    assert settled(envelope.document()) == EXPECTED["cache_hit"]
{{/cache}}
{{#redirect}}


@pytest.mark.parametrize("permanent", [True, False])
def test_redirect(permanent: bool) -> None:
    envelope = answer(
        {{redirect}}
    )
    document = settled(envelope.document())
    assert document["error"]["redirect"]["permanent"] is permanent
    document["error"]["redirect"]["permanent"] = True
    assert document == EXPECTED["redirect"]
    assert envelope.exit_code == {{redirect_exit}}
{{/redirect}}


def test_ok_cannot_be_set() -> None:
    envelope = answer(program.succeed(DATA))
    with pytest.raises(AttributeError):
        setattr(envelope, "ok", False)


def test_what_was_said_cannot_be_changed() -> None:
    for said in [program.succeed(DATA), answer(program.succeed(DATA))]:
        with pytest.raises(AttributeError):
            setattr(said, "exit_code", 1)


def test_the_document_is_spelled_as_the_dialect_spells_it() -> None:
    assert {{spelled}} in answer(program.succeed({"é": 1})).to_json()


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the validator, which would refuse contradictions too."""
    monkeypatch.setenv("MANILA_CHECK", "0")


@pytest.mark.usefixtures("unchecked")
def test_a_failure_needs_an_error() -> None:
    with pytest.raises(program.EnvelopeError):
        answer(program.Result(1))


@pytest.mark.usefixtures("unchecked")
def test_a_failure_has_no_data() -> None:
    with pytest.raises(program.EnvelopeError):
        answer(program.Result(failed().exit_code, DATA, failed().error))


@pytest.mark.usefixtures("unchecked")
def test_a_success_has_no_error() -> None:
    with pytest.raises(program.EnvelopeError):
        answer(program.Result(0, DATA, failed().error))
{{#data_needed}}


@pytest.mark.usefixtures("unchecked")
def test_a_success_needs_data() -> None:
    with pytest.raises(program.EnvelopeError):
        answer(program.Result(0))
{{/data_needed}}


def test_every_code_has_its_exit_code() -> None:
    exits = json.loads(
        r"""
{{exits}}
"""
    )
    assert dict(program.EXIT_CODES) == exits["classes"]
    assert dict(program.ERROR_EXITS) == exits["codes"]
    for code, exit_code in exits["codes"].items():
        envelope = answer(program.fail(code, "it failed"))
        assert envelope.exit_code == exit_code
{{#retryable}}
        assert envelope.error is not None
        assert envelope.error.get("{{retryable_key}}") is (exit_code in exits["retryable"])
{{/retryable}}


{{#retryable}}
@pytest.mark.parametrize("again", [True, False])
def test_a_handler_knows_better_whether_to_call_again(again: bool) -> None:
    envelope = answer(program.fail(CODE, "it failed", {"{{retryable_key}}": again}))
    assert envelope.error is not None
    assert envelope.error.get("{{retryable_key}}") is again


{{/retryable}}
def test_the_call_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([1.0, 9.0, 20.0])
    monkeypatch.setattr("time.monotonic", lambda: next(ticks))
    assert answer(program.succeed(DATA)).duration_ms == 8000


def test_each_outcome_has_its_stream() -> None:
    for result, name in [
        (program.succeed(DATA), "{{success_stream}}"),
        (failed(), "{{failure_stream}}"),
    ]:
        streams = {"stdout": io.StringIO(), "stderr": io.StringIO()}
        envelope = answer(result)
        exit_code = program.emit(envelope, streams["stdout"], streams["stderr"])
        assert exit_code == envelope.exit_code
        texts = {key: stream.getvalue() for key, stream in streams.items()}
        assert json.loads(texts.pop(name)) == envelope.document()
        assert list(texts.values()) == [""]


def test_valid_documents_are_accepted() -> None:
    for name, document in EXPECTED.items():
        exits = {"failure": {{failure_exit}}, "redirect": {{redirect_exit}}}
        exit_code = exits.get(name, 0)
        assert program.validate(document, exit_code) == [], name
    for edit in ACCEPTED:
        document = change(copy.deepcopy(EXPECTED[edit["of"]]), edit["path"], edit)
        assert broken(document) == []


@pytest.mark.parametrize("edit", BROKEN, ids=str)
def test_broken_documents_are_refused(edit: dict[str, Any]) -> None:
    document = change(copy.deepcopy(EXPECTED[edit["of"]]), edit["path"], edit)
    assert broken(document) != []


def test_an_outcome_must_agree_with_the_exit_code() -> None:
    for name, exit_code in [("success", 1), ("failure", 0)]:
        *_, last = program.validate(EXPECTED[name], exit_code)
        assert last.startswith("{{claim}}: ")
    assert program.validate([], 0) != []


def test_check_mode_validates_every_envelope(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "ENVELOPE_SCHEMA", False)
    with pytest.raises(program.EnvelopeError):
        answer(program.succeed(DATA))
    monkeypatch.setenv("MANILA_CHECK", "0")
    assert answer(program.succeed(DATA)).ok is True


{{checker_test}}
{{#payload}}


def test_a_payload_that_would_hide_the_envelope_stands_below_data() -> None:
    own = json.loads(
        r"""
{{own_names}}
"""
    )
    for data in [[1], *({name: 1} for name in own)]:
        assert answer(program.succeed(data)).document()["data"] == data
{{/payload}}
{{#samples}}


@pytest.mark.parametrize(["command", "good", "bad"], SAMPLES)
def test_payloads_match_their_schema(command: str, good: Any, bad: Any) -> None:
    def respond(data: Any) -> Any:
        result = program.succeed(data)
        return program.respond(lambda: result{{kind_argument}}, command=command)

    assert respond(good).data == good
    with pytest.raises(program.EnvelopeError, match=r"^data[:.\[]"):
        respond(bad)
{{/samples}}
