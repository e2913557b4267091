#!/usr/bin/env python3
"""Run `manila check` on every program of the panel, and compare its findings with those reviewed by hand.

    panel/install.sh DIR                 install the programs
    panel/panel.py run DIR [NAME...]     check them; reports go to panel/.reports
    panel/panel.py review                list the findings that findings.tsv does not have yet
    panel/panel.py table                 precision of each rule, as Markdown

The variable MANILA names the program `manila`, which otherwise is looked for in PATH.
findings.tsv has a line for each finding: program, rule, fingerprint, `true`, `minor` or `false`, and why.
"""
import csv
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPORTS = HERE / ".reports"
REVIEWED = HERE / "findings.tsv"


def run(directory, names):
    REPORTS.mkdir(exist_ok=True)
    manila = os.environ.get("MANILA", "manila")
    programs = sorted((Path(directory).resolve() / "bin").iterdir())
    for program in programs:
        if names and program.name not in names:
            continue
        report = REPORTS / f"{program.name}.json"
        call = [manila, "check", "--format", "json", "-o", report, "--deadline", os.environ.get("DEADLINE", "60s"), "--"]
        # By name: packs know programs by their names.
        path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run([*call, program.name], env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if report.exists():
            document = json.loads(report.read_text())
            found = sum(len(rule["findings"]) for rule in document["rules"])
            covered = document["score"]["covered"]
            print(f"{program.name}\t{document['profile']}\t{covered} %\t{found} findings", flush=True)
        else:
            print(f"{program.name}\tnot checked: {done.stderr.strip().splitlines()[:1]}", flush=True)


def found():
    for report in sorted(REPORTS.glob("*.json")):
        for rule in json.loads(report.read_text())["rules"]:
            for finding in rule["findings"]:
                yield report.stem, rule, finding


def reviewed():
    if not REVIEWED.exists():
        return {}
    with REVIEWED.open(newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if row and not row[0].startswith("#")]
    return {(row[0], row[2]): row[3] for row in rows}


def review():
    known = reviewed()
    for program, rule, finding in found():
        if (program, finding["fingerprint"]) not in known:
            excerpt = (finding.get("excerpt") or {}).get("bytes", "")[:100]
            fields = [program, rule["id"], finding["fingerprint"], "?", finding["message"][:160]]
            print("\t".join(fields), finding["reproduce"][:140], excerpt, sep="\t# ")


def table():
    known, counts = reviewed(), defaultdict(Counter)
    for program, rule, finding in found():
        counts[rule["id"]][known.get((program, finding["fingerprint"]), "unreviewed")] += 1
    total = sum(counts.values(), Counter())
    print("| rule | findings | true | true, minor | false | precision |\n|---|---|---|---|---|---|")
    for rule, count in sorted(counts.items()) + [("**all**", total)]:
        right, all_ = count["true"] + count["minor"], sum(count.values())
        print(f"| {rule} | {all_} | {count['true']} | {count['minor']} | {count['false']} | {100 * right // max(all_, 1)} % |")
    if total["unreviewed"]:
        print(f"\n{total['unreviewed']} findings are not reviewed yet.")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", directory, *names]:
            run(directory, names)
        case ["review"]:
            review()
        case ["table"]:
            table()
        case _:
            sys.exit(__doc__)
