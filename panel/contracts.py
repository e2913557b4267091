#!/usr/bin/env python3
"""Freeze real programs, verify each three times in a row, and compare it with the patch release before.

    panel/contracts.py DIR [COMMAND...]

Both versions of each program in contracts.tsv are installed below DIR from PyPI or npm. The variable MANILA names the
program `manila`, which otherwise is looked for in PATH; DEADLINE is the --deadline of each call (10m). The table is
printed as Markdown, and reports of what is not clean stay in DIR/reports. Exit code 1: a program is not as it was frozen,
or something breaks between patch releases. A program that cannot be installed is named and skipped.
"""
import csv
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
MANILA = os.environ.get("MANILA", "manila")
DEADLINE = os.environ.get("DEADLINE", "10m")
ROUNDS = 3


def install(directory, source, package, version, command):
    """The path of the program, installed once."""
    at = directory / f"{command}-{version}"
    program = at / ("bin" if source == "pypi" else "node_modules/.bin") / command
    if not program.exists():
        if source == "pypi":
            calls = [[sys.executable, "-m", "venv", at], [at / "bin/pip", "install", "-q", f"{package}=={version}"]]
        else:
            calls = [["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", at, f"{package}@{version}"]]
        for call in calls:
            subprocess.run(call, check=True, capture_output=True)
    return program


def manila(report, *words):
    """The exit code, with what was written kept if it is not 0."""
    done = subprocess.run([MANILA, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        report.write_text(f"{done.stdout}{done.stderr}")
    return done


def frozen(directory, command, program):
    """How freezing and verifying went, in a few words, and whether it was clean."""
    reports, lock = directory / "reports", directory / f"{command}.lock"
    done = manila(reports / f"{command}-freeze", "freeze", "--deadline", DEADLINE, "-o", lock, "--", program)
    if done.returncode != 0:
        return f"freeze ends with {done.returncode}", False
    for number in range(1, ROUNDS + 1):
        report = reports / f"{command}-verify-{number}"
        done = manila(report, "verify", "--deadline", DEADLINE, "--lock", lock, "--", program)
        if done.returncode != 0:
            return f"verify {number} ends with {done.returncode}", False
    facts = len(lock.read_text().splitlines()) - 2
    return f"{facts} facts, clean", True


def compared(directory, command, old, new):
    """What changed between two releases, in a few words, and whether nothing breaks."""
    report = directory / "reports" / f"{command}-diff.json"
    report.unlink(missing_ok=True)
    words = ["diff", "--deadline", DEADLINE, "--format", "json", "-o", report, "--bin", old, "--bin", new]
    done = manila(directory / "reports" / f"{command}-diff", *words)
    if not report.exists():
        return f"diff ends with {done.returncode}", False
    changes = Counter(change["impact"] for change in json.loads(report.read_text())["changes"])
    shown = ", ".join(f"{count} {impact}" for impact, count in sorted(changes.items())) or "no change"
    return shown if done.returncode == 0 else f"{shown}; exit code {done.returncode}", done.returncode == 0


def main(directory, names):
    directory = Path(directory).resolve()
    (directory / "reports").mkdir(parents=True, exist_ok=True)
    is_clean = True
    print("| program | version | frozen, and verified three times | patch release before | changes |\n|---|---|---|---|---|")
    with (HERE / "contracts.tsv").open(newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if row and not row[0].startswith("#")]
    for source, package, before, version, command in rows:
        if names and command not in names:
            continue
        try:
            old = install(directory, source, package, before, command)
            new = install(directory, source, package, version, command)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"SKIPPED: {command} ({source} {package}) cannot be installed: {error}", file=sys.stderr)
            continue
        lock, is_frozen = frozen(directory, command, new)
        changes, is_compatible = compared(directory, command, old, new)
        is_clean &= is_frozen and is_compatible
        print(f"| {command} | {version} | {lock} | {before} | {changes} |", flush=True)
    return 0 if is_clean else 1


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
