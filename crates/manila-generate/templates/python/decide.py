Action = Literal[
    "accept",
    "use-cache",
    "next-page",
    "retry",
    "correct-arguments",
    "refresh-credentials",
    "acquire-credentials",
    "redirect",
    "apply-fix",
    "inspect-state",
    "give-up",
    "escalate",
]


@dataclass(frozen=True)
class Decision:
    """What to do next, and the row of the table that says so (`manila explain ROW`)."""

    action: Action
    row: str
    reason: str
    wait_ms: Optional[int] = None
    change: Optional[str] = None
    cursor: Optional[str] = None
    argv: tuple[str, ...] = ()
    remember: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class History:
    """What has happened in this call so far."""

    attempts: Sequence[str] = ()  # The error codes since the last change of state.
    cursors: Sequence[str] = ()
    redirects: Sequence[str] = ()
    refreshed: bool = False
    fixed: bool = False
    reissued: bool = False


@dataclass(frozen=True)
class Policy:
    """What a caller is willing to do."""

    retries: int = 3
    hops: int = 5
    jitter: float = 0.0
    remaining_ms: Optional[int] = None
    idempotent: bool = False
    cached: bool = False
    fixes: bool = False
    refresh: bool = False
    redirects: Literal["never", "same-program", "any"] = "same-program"


LONGEST_WAIT_MS: Final = 300_000
EXPIRED: Final = ("TOKEN_EXPIRED", "CREDENTIALS_EXPIRED", "AUTH_EXPIRED")
NEEDED: Final = ("TOKEN_INVALID", "TOKEN_MISSING", "UNAUTHENTICATED", "AUTH_REQUIRED")


def decide(
    answer: Union[Answer[T, C], Contradiction],
    history: History = History(),
    policy: Policy = Policy(),
    argv: Sequence[str] = (),
) -> Decision:
    """What to do about an answer: the first row of the table that fits, within the budget."""
    decision = _first_row(answer, history, policy, argv)
    wait_ms, remaining_ms = decision.wait_ms, policy.remaining_ms
    if wait_ms is not None:
        error = None if isinstance(answer, Contradiction) else answer.error
        used = history.attempts.count(error.code) if error is not None else 0
        if used >= policy.retries:
            decision = Decision("give-up", "budget", "the retries are used up")
        elif remaining_ms is not None and wait_ms > remaining_ms:
            decision = Decision(
                "give-up", decision.row, "the wait exceeds the deadline"
            )
    return replace(decision, notes=_notes(answer))


def _first_row(
    answer: Union[Answer[T, C], Contradiction],
    history: History,
    policy: Policy,
    argv: Sequence[str],
) -> Decision:
    if isinstance(answer, Contradiction):
        return _contradiction(answer)
    error = answer.error
    if error is None:
        return _success(answer, history, policy)
    code, exit_class, exit_code = error.code, answer.exit_class, answer.exit_code
    retry, effects = CONCLUSIONS[exit_class]
    alike = history.attempts.count(code)
    validation = error.phase == "validation"
    violent = exit_code < 0 or exit_code in (101, 124) or exit_code >= 128
    partly_done = violent or (effects == "partial" and not validation)
    # "Retryable" promises that nothing happened, which settles what is only unknown.
    unknown = effects == "unknown" and error.retryable is not True and not validation
    may_have_effects = not policy.idempotent and (partly_done or unknown)
    wrong_arguments = exit_class == "ARG_ERROR" and not may_have_effects
    is_lock = (
        exit_class in ("CONFLICT", "PRECONDITION")
        and effects == "none"
        and not may_have_effects
    )
    if retry in ("no", "after-fix"):
        forbidden = not policy.idempotent
    else:
        forbidden = 64 <= exit_code <= 78
    may_call_again = not forbidden and not may_have_effects
    about_credentials = (
        exit_class == "AUTH_REQUIRED" or code.upper() in EXPIRED + NEEDED
    )
    refreshes = (
        code.upper() in EXPIRED
        and not history.refreshed
        and alike == 0
        and not partly_done
        and not may_have_effects
    )
    exponential = min(1000 << alike, LONGEST_WAIT_MS)
    spread = int(exponential * min(max(policy.jitter, 0.0), 1.0))
    exponential = min(exponential + spread, LONGEST_WAIT_MS)

    def again(row: str, wait_ms: int, reason: str) -> Decision:
        is_wrong = exit_class == "ARG_ERROR"
        action: Action = "correct-arguments" if is_wrong else "retry"
        return Decision(action, row, reason, wait_ms=wait_ms)

    # 9: the command has moved.
    if exit_class == "REDIRECTED":
        return _redirect(error, history, policy, argv)
    # 10: a command corrects it.
    if error.fix_command is not None and not (policy.refresh and refreshes):
        row, words = "fix-command", _words(error.fix_command)
        if may_have_effects:
            return Decision(
                "inspect-state", row, "some of the work may be done already"
            )
        if history.fixed:
            return Decision(
                "give-up", row, "a fix was applied already and it still fails"
            )
        if not policy.fixes:
            return Decision("escalate", row, "the caller must allow the stated fix")
        if words is None:
            return Decision("escalate", row, "the fix cannot be run without a shell")
        if not _may_run(words[0], policy, argv):
            return Decision(
                "escalate", row, f"{words[0]} is not the program that was called"
            )
        return Decision("apply-fix", row, "the error states a command", argv=words)
    # 11: something must be true first.
    if error.fix_required is not None and not refreshes:
        row, reason = "fix-required", f"this must be true first: {error.fix_required}"
        if wrong_arguments and not history.fixed and alike == 0:
            return Decision("correct-arguments", row, reason, wait_ms=0)
        return Decision("escalate", row, reason)
    # 12: calling again will not help.
    if error.retryable is False and retry != "yes" and not about_credentials:
        if partly_done:
            return Decision("inspect-state", "not-retryable", "it may be partly done")
        return Decision("give-up", "not-retryable", "calling again will not help")
    # 13: the credentials are old.
    if refreshes:
        return Decision("refresh-credentials", "token-expired", code)
    # 14: credentials are needed.
    if about_credentials and not partly_done:
        return Decision("acquire-credentials", "credentials-needed", code)
    # 15: the error says how long to wait.
    if error.wait_ms is not None:
        stated = error.retryable
        retryable = stated if stated is not None else retry == "yes" or is_lock
        if retryable and (may_call_again or is_lock):
            return again(
                "wait-stated", error.wait_ms, "the error says how long to wait"
            )
    if error.retryable is not False and not may_have_effects:
        # 16: too many calls.
        if exit_class == "RATE_LIMITED":
            return Decision("retry", "rate-limited", "too many calls", wait_ms=60_000)
        # 17: something it needs cannot be reached.
        if exit_class == "UNAVAILABLE":
            return Decision(
                "retry", "unavailable", "not reachable", wait_ms=exponential
            )
    # 18: the error says that calling again may help.
    if error.retryable is True and exit_class != "TIMEOUT" and may_call_again:
        wait_ms = 1000
        if exit_class == "ARG_ERROR" or error.strategy == "immediate":
            wait_ms = 0
        elif error.strategy == "linear_backoff":
            wait_ms = min(1000 * (alike + 1), LONGEST_WAIT_MS)
        elif error.strategy == "exponential_backoff":
            wait_ms = exponential
        return again("retryable", wait_ms, "calling again may help")
    # 19: the exit table decides.
    if error.retryable is None:
        row = "retryable-absent"
        if retry in ("yes", "after-fix") and wrong_arguments:
            return again(row, 0, "the arguments are wrong")
        if retry == "no" and effects == "partial":
            return Decision(
                "inspect-state", row, f"{exit_class} leaves work partly done"
            )
        if retry == "no":
            return Decision("give-up", row, f"{exit_class} is not to be retried")
        if retry == "after-fix" or (retry == "depends" and effects == "none"):
            return Decision("escalate", row, f"{exit_class} needs a correction first")
        if validation:
            return Decision("escalate", row, "nothing was done; something is wrong")
    # 20: the exit table says retry, the error says no.
    if error.retryable is False and retry == "yes":
        if partly_done:
            return Decision("inspect-state", "error-says-no", "it may be partly done")
        return Decision("give-up", "error-says-no", "the error says no")
    # 21: the exit table says no, or a correction first, and the error says retry.
    if error.retryable is True:
        row = "error-says-yes"
        if retry == "no" and effects == "partial":
            return Decision("inspect-state", row, "some of the work may be done")
        if retry == "no":
            return Decision("give-up", row, "the exit code says no")
        if retry == "after-fix" and wrong_arguments:
            return again(row, 0, "the arguments are wrong")
        if retry == "after-fix":
            return Decision("escalate", row, "the exit code says correct it first")
    # 22: it ran out of time.
    if exit_class == "TIMEOUT" and error.retryable is not False:
        if may_have_effects:
            return Decision("inspect-state", "timeout", "some of the work may be done")
        return Decision(
            "retry", "timeout", "it may be called twice", wait_ms=exponential
        )
    return _by_status(exit_code)


def _success(answer: Answer[T, C], history: History, policy: Policy) -> Decision:
    # 7: the kept answer holds.
    if answer.not_modified:
        row = "not-modified"
        if policy.cached:
            return Decision("use-cache", row, "nothing has changed")
        if history.reissued:
            return Decision("escalate", row, "still not modified without a version")
        reason, change = "there is no kept answer", "without-etag"
        return Decision("retry", row, reason, wait_ms=0, change=change)
    # 8: the data are not all.
    if answer.truncated:
        row = "truncated"
        if not answer.cursor:
            return Decision("escalate", row, "there is no cursor: narrow the query")
        if answer.cursor in history.cursors:
            return Decision("give-up", row, "the cursor was already asked for")
        return Decision("next-page", row, "there is more", cursor=answer.cursor)
    return Decision("accept", "success", "the command succeeded")


def _redirect(
    error: Failure[C], history: History, policy: Policy, argv: Sequence[str]
) -> Decision:
    row, redirect = "redirected", error.redirect
    if redirect is None:
        return Decision("escalate", row, "nothing says where to")
    words = _words(redirect.command)
    if words is None:
        return Decision("escalate", row, "the command cannot be run without a shell")
    if len(history.redirects) >= policy.hops:
        return Decision("give-up", row, "too many redirects were followed")
    if redirect.command in history.redirects or words == tuple(argv):
        return Decision("give-up", row, "it leads back to where it began")
    if policy.redirects == "never":
        return Decision("escalate", row, "the caller follows no redirects")
    if not _may_run(words[0], policy, argv):
        return Decision(
            "escalate", row, f"{words[0]} is not the program that was called"
        )
    remember = redirect.permanent
    return Decision("redirect", row, "the command moved", argv=words, remember=remember)


def _contradiction(answer: Contradiction) -> Decision:
    row, reason = answer.row, str(answer)
    if row in ("ok-true-exit-nonzero", "error-key-absent"):
        return Decision("inspect-state", row, reason)
    if row == "no-envelope" and answer.exit_code != 0:
        return _by_status(answer.exit_code)
    return Decision("escalate", row, reason)


def _by_status(exit_code: int) -> Decision:
    if 0 <= exit_code <= 13:
        return Decision("inspect-state", "nothing-else", "nothing says what was done")
    row = "outside-the-table"
    if 64 <= exit_code <= 78:
        return Decision("give-up", row, "a sysexits number, not to be retried")
    if 79 <= exit_code <= 127 and exit_code not in (101, 124):
        return Decision("escalate", row, "the program's own number, or it never ran")
    return Decision("inspect-state", row, "some of the work may be done")


def _may_run(named: str, policy: Policy, argv: Sequence[str]) -> bool:
    if policy.redirects == "any" or not argv:
        return True
    return named in (argv[0], argv[0].split("/")[-1])


def _words(command: str) -> Optional[tuple[str, ...]]:
    """The words of a command, or None if only a shell could make sense of it."""
    words: list[str] = []
    word: Optional[str] = None
    quote = ""
    characters = iter(command)
    for character in characters:
        if quote == "'":
            if character == "'":
                quote = ""
            else:
                word = (word or "") + character
        elif character in "$`" or (not quote and character in ";&|<>(){}*\n"):
            return None
        elif character == "\\":
            escaped = next(characters, "")
            if not escaped:
                return None
            keeps = quote and escaped not in '"\\$`'
            word = (word or "") + (character if keeps else "") + escaped
        elif quote:
            if character == quote:
                quote = ""
            else:
                word = (word or "") + character
        elif character in "'\"":
            quote, word = character, word or ""
        elif character in " \t":
            if word is not None:
                words.append(word)
            word = None
        elif word is None and character in "#~":
            return None
        else:
            word = (word or "") + character
    if word is not None:
        words.append(word)
    # NAME=value sets a variable, which only a shell does.
    if quote or not words or not words[0] or "=" in words[0]:
        return None
    return tuple(words)


def _notes(answer: Union[Answer[T, C], Contradiction]) -> tuple[str, ...]:
    if isinstance(answer, Contradiction):
        return ()
    notes: list[str] = []
    for warning in answer.warnings:
        notes.append(f"warning: {warning}")
        if "deprecated" in warning.lower() or "will be removed" in warning.lower():
            notes.append("plan to change this call: it will stop working")
    return tuple(notes)
