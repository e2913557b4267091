"""Run any command-line program, understand its answer, and do what should be done next.

>>> import manila
>>> manila.run(["true"]).next.action
'accept'
>>> manila.effects(["git", "push", "--force"]).effect
'destroys'
"""

from manila._api import check, convert, decide, effects, open, run, run_async
from manila._error import Error
from manila._options import CheckOptions, DecideOptions, RunOptions, SourceOptions
from manila._types import (
    CallEffect,
    Conversion,
    Decision,
    Failure,
    Finding,
    Loss,
    Next,
    Opened,
    Outcome,
    Report,
)

__all__ = [
    "CallEffect",
    "CheckOptions",
    "Conversion",
    "DecideOptions",
    "Decision",
    "Error",
    "Failure",
    "Finding",
    "Loss",
    "Next",
    "Opened",
    "Outcome",
    "Report",
    "RunOptions",
    "SourceOptions",
    "check",
    "convert",
    "decide",
    "effects",
    "open",
    "run",
    "run_async",
]
