"""A check, and the fixtures of the pytest plugin."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Script

import manila
from manila.pytest_plugin import verify

#: A program whose help ends with 3.
UNHELPFUL = """
case "$*" in
*--help*) echo 'Usage: sulk [OPTIONS]'; echo; echo 'Options:'; echo '  --json  JSON'; echo '  --help  Help'; exit 3 ;;
*--version*) echo 'sulk 1.0' ;;
*) echo '{"ok":false,"data":null,"error":{"code":"NOT_FOUND","message":"m"},"warnings":[],"meta":{}}' ;;
esac
"""
RULE = "help-fails"


def test_a_broken_program_is_a_report(script: Script) -> None:
    report = manila.check([script("sulk", UNHELPFUL)], select=[RULE], unconfined=True)
    assert not report.conforms
    assert report.outcome == "does-not-conform"
    assert {finding.rule for finding in report.findings} == {RULE}
    assert report.findings[0].severity == "warning" and report.findings[0].reproduce
    assert RULE in report.render()
    assert json.loads(report.render("sarif"))["version"] == "2.1.0"
    with pytest.raises(ValueError, match='"pdf" is not a format'):
        report.render("pdf")


def test_a_check_that_cannot_be_made_is_our_failure(tmp_path: Path) -> None:
    with pytest.raises(manila.Error) as raised:
        manila.check(["/no/such/program"])
    assert raised.value.kind == "not-found"
    (tmp_path / "manila.toml").write_text("[program]\ncommand = 3\n")
    with pytest.raises(manila.Error) as raised:
        manila.check(["true"], config=tmp_path / "manila.toml")
    assert raised.value.kind == "bad-declaration"
    with pytest.raises(ValueError, match="neither a rule nor a family"):
        manila.check(["true"], select=["no-such-rule"])


def test_the_fixture_fails_with_the_report(pytester: pytest.Pytester, script: Script) -> None:
    sulk = script("sulk", UNHELPFUL)
    pytester.makepyfile(
        f"""
        def test_broken(manila_conforms):
            manila_conforms([{str(sulk)!r}], select=[{RULE!r}])

        def test_other_rule(manila_conforms):
            assert manila_conforms([{str(sulk)!r}], select=["version-unclear"]).conforms
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([f"*{RULE}*"])


def record(tmp_path: Path, name: str, answer: str) -> str:
    """A directory with a recorded run of a program that answers so."""
    runs = tmp_path / name
    program = tmp_path / "notes"
    program.write_text(f"#!/bin/sh\necho '{answer}'\n")
    program.chmod(0o755)
    assert manila.run([program, "list", "--json"], record=runs).ok
    return str(runs)


def test_a_contract_is_kept_or_not(
    tmp_path: Path, manila_verify: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    envelope = '{"ok":true,"data":%s,"error":null,"warnings":[],"meta":{"duration_ms":1}}'
    before = record(tmp_path, "before", envelope % '{"id":1,"title":"x"}')
    after = record(tmp_path, "after", envelope % '{"id":"1"}')
    freeze = [sys.executable, "-m", "manila", "freeze", "--run", before]
    froze = subprocess.run(freeze, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert froze.returncode == 0, froze.stdout + froze.stderr
    manila_verify((), "--run", before, cwd=tmp_path)
    with pytest.raises(pytest.fail.Exception, match="title"):
        manila_verify((), "--run", after, cwd=tmp_path)
    with pytest.raises(manila.Error):
        manila_verify((), "--run", str(tmp_path / "nowhere"), cwd=tmp_path)
    monkeypatch.setenv("MANILA_BLESS", "1")
    manila_verify((), "--run", after, cwd=tmp_path)
    monkeypatch.delenv("MANILA_BLESS")
    manila_verify((), "--run", after, cwd=tmp_path)


def test_a_manila_without_verify_skips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("manila.pytest_plugin._has_verify", lambda: False)
    with pytest.raises(pytest.skip.Exception, match="no command `verify`"):
        verify(["true"])
