"""One `manila.run` of `true` against `subprocess.run`, in turns, so that both meet the same machine.

    python benches/run.py [ROUNDS]

Only the ratio of the medians means anything: both are measured in the same run. The target is at most 1.5.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import manila


def ours() -> None:
    assert manila.run(["true"]).ok


def theirs() -> None:
    assert subprocess.run(["true"], capture_output=True, check=False).returncode == 0


def timed(call: Callable[[], None]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for call in (ours, theirs):
        call()
    times: dict[Callable[[], None], list[float]] = {ours: [], theirs: []}
    for round in range(rounds):
        for call in (ours, theirs) if round % 2 else (theirs, ours):
            times[call].append(timed(call))
    medians = {call: statistics.median(list) for call, list in times.items()}
    for call, name in ((ours, "manila.run"), (theirs, "subprocess.run")):
        print(f"{name:<15}{medians[call] * 1e6:8.0f} µs")
    print(f"{'ratio':<15}{medians[ours] / medians[theirs]:8.2f}    (target: at most 1.5; {rounds} rounds)")


if __name__ == "__main__":
    main()
