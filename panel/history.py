#!/usr/bin/env python3
"""Check releases that are known to be broken, and tell whether the bug is found and named.

    panel/history.py DIR [CASE...]     install the releases below DIR, check them, print the table as Markdown

history.tsv has a line for each bug: the release, the report, and the rules that name it. history/CASE has the
declaration of each, and the files that it is checked on; large ones are made here.
The variable MANILA names the program `manila`, which otherwise is looked for in PATH.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent


def token(number):
    """What the linter takes for a token. It is put together here, so that no scanner finds one in this file."""
    return "-".join(["xoxb", f"{230000000 + number}12", f"{230000000 + number}34", f"abcdefghijklmnopqrst{number:04}"])


GENERATED = {
    "secretlint": {"many.txt": "".join(f"token: {token(number)}\n" for number in range(300))},
    "bandit": {f"sample_{number}.py": 'import subprocess\nsubprocess.call("ls", shell=True)\n' for number in range(60)},
    "rumdl": {"sample.md": "#a\n\n\n\n##  b\n" * 400},
}


def quietly(*call):
    return subprocess.run(call, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0


def install(directory, case):
    """The program of a case, installed from its registry unless it is there."""
    if case["source"] == "apt":
        if not shutil.which(case["command"]):
            quietly("apt-get", "install", "-y", "--no-install-recommends", case["case"])
        found = shutil.which(case["command"])
        return Path(found) if found else None
    at = directory / f"{case['source']}-{case['case']}"
    if case["source"] == "npm":
        program = at / "node_modules" / ".bin" / case["command"]
        if not program.exists():
            quietly("npm", "install", "--no-fund", "--no-audit", "--prefix", at, *case["packages"].split())
            link(at, case["case"], program)
    else:
        program = at / "bin" / case["command"]
        if not program.exists():
            quietly(sys.executable, "-m", "venv", at)
            quietly(at / "bin" / "pip", "install", "--disable-pip-version-check", *case["packages"].split())
    return program if program.exists() else None


def link(at, case, program):
    """A framework has no program of its own: the one beside the declaration uses it."""
    own = HERE / "history" / case / "program"
    if own.is_dir() and program.parent.is_dir():
        shutil.copytree(own, at / "program", dirs_exist_ok=True)
        program.symlink_to(at / "program" / "run.js")


def prepare(directory, case):
    """The declaration of a case and its files."""
    at = directory / "cases" / case["case"]
    shutil.rmtree(at, ignore_errors=True)
    shutil.copytree(HERE / "history" / case["case"], at)
    for name, content in GENERATED.get(case["case"], {}).items():
        (at / "fixture").mkdir(exist_ok=True)
        (at / "fixture" / name).write_text(content)
    return at / "manila.toml"


def check(directory, case, program):
    """What is found, as a message for each rule; none if the program could not be checked."""
    report = directory / f"{case['case']}.json"
    report.unlink(missing_ok=True)
    declaration = prepare(directory, case)
    deadline = os.environ.get("DEADLINE", "180s")
    manila = os.environ.get("MANILA", "manila")
    command = next(iter(tomllib.loads(declaration.read_text())["commands"]))
    options = ["--command", command, "--config", declaration, "--format", "json", "-o", report, "--deadline", deadline, "--fail-on", "note"]
    # By name: packs know programs by their names.
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    call = [Path(manila).resolve() if "/" in manila else manila, "check", *options, "--", program.name]
    subprocess.run(call, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if not report.exists():
        return None
    rules = json.loads(report.read_text())["rules"]
    return {rule["id"]: rule["findings"][0]["message"] for rule in rules if rule["findings"]}


def main(directory, names):
    directory.mkdir(parents=True, exist_ok=True)
    with (HERE / "history.tsv").open(newline="") as file:
        fields = ["case", "source", "packages", "command", "report", "rules"]
        cases = [case for case in csv.DictReader(file, fields, delimiter="\t") if not case["case"].startswith("#")]
    print("| release | report | found and named | what it says |\n|---|---|---|---|")
    for case in cases:
        if names and case["case"] not in names:
            continue
        release = " ".join(case["packages"].split()[0].replace("==", "@").rsplit("@", 1))
        program = install(directory, case)
        found = check(directory, case, program) if program else None
        if found is None:
            why = "cannot be checked" if program else "cannot be installed"
            print(f"| {release} | {case['report']} | no | {why} |", flush=True)
            continue
        named = [rule for rule in case["rules"].split() if rule in found]
        message = found[named[0]] if named else "also found: " + (", ".join(sorted(found)) or "nothing")
        words = ", ".join(f"`{rule}`" for rule in named) or "no"
        print(f"| {release} | {case['report']} | {words} | {message} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
