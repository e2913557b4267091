# {{header}}
# Do not edit: change what it is made from and generate it again.
"""Tests of client.py. Run them with `python3 -m pytest {directory}`."""

import dataclasses
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

# Failures without a document, and what to do about each.
FAILURES: Final[list[dict[str, Any]]] = json.loads(
    r"""
{{by_hand}}
"""
)

# What a call left behind, and what an answer says.
ANSWERS: Final[list[dict[str, Any]]] = json.loads(
    r"""
{{answers}}
"""
)

# The classes, with what may be concluded from each.
CLASSES: Final[list[list[str]]] = json.loads(
    r"""
{{classes}}
"""
)

# The exit codes, with the class of each.
NUMBERS: Final[list[list[Any]]] = json.loads(
    r"""
{{exit_rows}}
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


@pytest.mark.parametrize("case", FAILURES, ids=str)
def test_failures_without_a_document(case: dict[str, Any]) -> None:
    failure = client.Failure(
        case["code"],
        "it failed",
        retryable=case["retryable"],
        wait_ms=case["wait_ms"],
        strategy=case["strategy"],
    )
    answer: client.Answer[Any, str]
    answer = client.Answer(case["exit_code"], case["class"], error=failure)
    history = client.History(attempts=[case["code"]] * case["alike"])
    idempotent, jitter = case["idempotent"], case["jitter"]
    policy = client.Policy(retries=500, jitter=jitter, idempotent=idempotent)
    decision = client.decide(answer, history, policy)
    expect = {"wait_ms": None, **case["expect"]}
    assert {name: getattr(decision, name) for name in expect} == expect


@pytest.mark.parametrize("case", ANSWERS, ids=lambda case: case["expect"]["exit_class"])
def test_answers_say_what_their_documents_say(case: dict[str, Any]) -> None:
    answer = read(case)
    assert isinstance(answer, client.Answer), answer
    found = dataclasses.asdict(answer)
    del found["exit_code"]
    found["warnings"] = list(answer.warnings)
    found.update(found.pop("error") or {})
    if found.get("redirect") is not None:
        found["redirect"] = list(found["redirect"].values())
    stated = {name: value for name, value in found.items() if value is not None}
    assert stated == case["expect"]


def test_what_follows_from_a_class() -> None:
    for name, *conclusion in CLASSES:
        found: Any = client.CONCLUSIONS
        assert list(found[name]) == conclusion
    assert len(client.CONCLUSIONS) == len(CLASSES)
    assert [list(row) for row in client.EXIT_CLASSES.items()] == NUMBERS


def test_what_was_read_cannot_be_changed() -> None:
    redirect = client.Redirect("tool new", True)
    failure = client.Failure("X", "it failed")
    answer: client.Answer[Any, str] = client.Answer(0, "SUCCESS")
    decision = client.decide(answer)
    said: list[Any]
    said = [redirect, failure, answer, decision, client.History(), client.Policy()]
    for one in said:
        with pytest.raises(AttributeError):
            setattr(one, dataclasses.fields(one)[0].name, None)


def test_the_usual_policy() -> None:
    usual = client.Policy(3, 5, 0.0, None, False, False, False, False, "same-program")
    assert client.Policy() == usual
    assert client.History() == client.History((), (), (), False, False, False)


def test_warnings_are_noted() -> None:
    warnings = ("it is Deprecated", "x will be removed", "y")
    answer: client.Answer[Any, str]
    answer = client.Answer(0, "SUCCESS", data={}, warnings=warnings)
    planned = "plan to change this call: it will stop working"
    decision = client.decide(answer)
    assert decision.action == "accept"
    assert decision.notes == (
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


{{checker_test}}


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
    refused = answered(envelope(bad), 0, command)
    assert isinstance(refused, client.Contradiction)
    assert refused.row == "no-envelope"
    assert str(refused).startswith(("data:", "data.", "data["))
    reader = READERS[command]
    text = json.dumps(envelope(good))
    assert reader(text, text, 0).data == good


# The reader of each command.
READERS: Final[dict[str, Any]] = {
    {{readers}}
}


def test_undeclared_codes_are_refused() -> None:
    code = {{failure_code}}
    text = json.dumps(EXPECTED["failure"])
    odd = json.loads(text.replace(code, "SURPRISE"))
    for command, codes in client.COMMAND_CODES.items():
        answer = answered(EXPECTED["failure"], {{failure_exit}}, command)
        assert isinstance(answer, client.Answer) is (code in codes)
        surprise = json.dumps(odd)
        with pytest.raises(client.Contradiction):
            READERS[command](surprise, surprise, {{failure_exit}})
{{/samples}}
