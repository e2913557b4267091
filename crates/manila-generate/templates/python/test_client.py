# {{header}}
# Do not edit: change what it is made from and generate it again.
"""Tests of client.py. Run them with `python3 -m pytest {directory}`."""

import json
import os
import sys
from typing import Any, Final, Optional

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import client  # noqa: E402

# What a call left behind, and what to do about it.
CASES: Final[list[dict[str, Any]]] = json.loads(
    r"""
{{cases}}
"""
)

{{#has_wait}}
# An exit code and a wait without a word about calling again, and what to do about it.
WAITS: Final[list[dict[str, Any]]] = json.loads(
    r"""
{{waits}}
"""
)

{{/has_wait}}
# A schema, a value, and whether the value fits.
KEYWORDS: Final[list[list[Any]]] = json.loads(
    r"""
{{keywords}}
"""
)

# A schema, a value, and the places of the value that break it.
PLACES: Final[list[list[Any]]] = json.loads(
    r"""
{{places}}
"""
)

# The documents of the paths of the contract, with their exit codes.
EXPECTED: Final[dict[str, Any]] = json.loads(
    r"""
{{expected}}
"""
)

# Changes of those documents that break a rule.
BROKEN: Final[list[dict[str, Any]]] = json.loads(
    r"""
{{broken}}
"""
)
{{#samples}}

# A command, a payload that its schema allows, and one that it does not.
SAMPLES: Final[list[list[Any]]] = json.loads(
    r"""
{{samples}}
"""
)
{{/samples}}


def read(case: dict[str, Any], command: Optional[str] = None) -> Any:
    try:
        return client.read(case["stdout"], case["stderr"], case["exit_code"], command)
    except client.Contradiction as contradiction:
        return contradiction


def answered(document: Any, exit_code: int, command: Optional[str] = None) -> Any:
    text = json.dumps(document)
    case = {"stdout": text, "stderr": text, "exit_code": exit_code}
    return read(case, command)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["expect"]["row"])
def test_decisions(case: dict[str, Any]) -> None:
    history = client.History(**case["history"])
    policy = client.Policy(**case["policy"])
    decision = client.decide(read(case), history, policy, case["argv"])
    expect: dict[str, Any] = {"wait_ms": None, "change": None, "cursor": None}
    expect = {**expect, "argv": [], "remember": False, **case["expect"]}
    found = {name: getattr(decision, name) for name in expect}
    assert {**found, "argv": list(decision.argv)} == expect


{{#has_wait}}
@pytest.mark.parametrize("case", WAITS, ids=str)
def test_waits_without_a_word_about_calling_again(case: dict[str, Any]) -> None:
    exit_code = case["exit_code"]
    failure = client.Failure("X", "it failed", wait_ms=case["wait_ms"])
    answer: client.Answer[Any, str]
    answer = client.Answer(exit_code, client.EXIT_CLASSES[exit_code], error=failure)
    policy = client.Policy(idempotent=case["idempotent"])
    decision = client.decide(answer, policy=policy)
    expect = {"wait_ms": None, **case["expect"]}
    assert {name: getattr(decision, name) for name in expect} == expect


{{/has_wait}}
def test_warnings_are_noted() -> None:
    warnings = ("it is Deprecated", "x will be removed", "y")
    answer: client.Answer[Any, str]
    answer = client.Answer(0, "SUCCESS", data={}, warnings=warnings)
    planned = "plan to change this call: it will stop working"
    assert client.decide(answer).notes == (
        "warning: it is Deprecated",
        planned,
        "warning: x will be removed",
        planned,
        "warning: y",
    )


def test_valid_documents_are_read() -> None:
    exits = {"failure": {{failure_exit}}, "redirect": {{redirect_exit}}}
    for name, document in EXPECTED.items():
        answer = answered(document, exits.get(name, 0))
        assert isinstance(answer, client.Answer), (name, answer)
        assert answer.ok is (name not in exits)
        assert (answer.error is None) is answer.ok


@pytest.mark.parametrize("edit", BROKEN, ids=str)
def test_broken_documents_are_refused(edit: dict[str, Any]) -> None:
    document = json.loads(json.dumps(EXPECTED[edit["of"]]))
    *parents, last = edit["path"].split(".")
    inner = document
    for name in parents:
        inner = inner[name]
    if "value" in edit:
        inner[last] = edit["value"]
    else:
        del inner[last]
    exits = {"failure": {{failure_exit}}, "redirect": {{redirect_exit}}}
    answer = answered(document, exits.get(edit["of"], 0))
    assert isinstance(answer, client.Contradiction)


@pytest.mark.parametrize(["schema", "value", "fits"], KEYWORDS)
def test_keywords(schema: Any, value: Any, fits: bool) -> None:
    root = {"$defs": {"text": {"type": "string"}}}
    assert (client.violations(schema, value, root) == []) is fits


@pytest.mark.parametrize(["schema", "value", "places"], PLACES)
def test_violations_name_their_place(schema: Any, value: Any, places: Any) -> None:
    found = client.violations(schema, value, {})
    assert [one.split(": ")[0] for one in found] == places


def test_what_is_no_object_is_no_answer() -> None:
    for document in [[], 1, None, "text"]:
        answer = answered(document, 0)
        assert isinstance(answer, client.Contradiction)
        assert answer.row == "no-envelope"
{{#samples}}


@pytest.mark.parametrize(["command", "good", "bad"], SAMPLES)
def test_payloads_are_read(command: str, good: Any, bad: Any) -> None:
    def envelope(data: Any) -> Any:
        document = json.loads(json.dumps(EXPECTED["success"]))
        {{put_data}}
        return document

    answer = answered(envelope(good), 0, command)
    assert isinstance(answer, client.Answer), answer
    assert answer.data == good
    assert isinstance(answered(envelope(bad), 0, command), client.Contradiction)


def test_undeclared_codes_are_refused() -> None:
    text = json.dumps(EXPECTED["failure"])
    odd = json.loads(text.replace({{failure_code}}, "SURPRISE"))
    for command, codes in client.COMMAND_CODES.items():
        answer = answered(EXPECTED["failure"], {{failure_exit}}, command)
        assert isinstance(answer, client.Answer) is ({{failure_code}} in codes)
        answer = answered(odd, {{failure_exit}}, command)
        assert isinstance(answer, client.Contradiction)
{{/samples}}
