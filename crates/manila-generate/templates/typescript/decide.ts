export type Action =
  | "accept"
  | "use-cache"
  | "next-page"
  | "retry"
  | "correct-arguments"
  | "refresh-credentials"
  | "acquire-credentials"
  | "redirect"
  | "apply-fix"
  | "inspect-state"
  | "give-up"
  | "escalate";

/** What to do next, and the row of the table that says so (`manila explain ROW`). */
export interface Decision {
  readonly action: Action;
  readonly row: string;
  readonly reason: string;
  readonly waitMs?: number;
  readonly change?: "without-etag";
  readonly cursor?: string;
  readonly argv?: readonly string[];
  readonly remember?: boolean;
  readonly notes?: readonly string[];
}

/** What has happened in this call so far. */
export interface History {
  /** The error codes since the last change of state. */
  readonly attempts?: readonly string[];
  readonly cursors?: readonly string[];
  readonly redirects?: readonly string[];
  readonly refreshed?: boolean;
  readonly fixed?: boolean;
  readonly reissued?: boolean;
}

/** What a caller is willing to do. */
export interface Policy {
  readonly retries?: number;
  readonly hops?: number;
  readonly jitter?: number;
  readonly remainingMs?: number;
  readonly idempotent?: boolean;
  readonly cached?: boolean;
  readonly fixes?: boolean;
  readonly refresh?: boolean;
  readonly redirects?: "never" | "same-program" | "any";
}

const LONGEST_WAIT_MS = 300_000;
const EXPIRED = ["TOKEN_EXPIRED", "CREDENTIALS_EXPIRED", "AUTH_EXPIRED"];
const NEEDED = [
  "TOKEN_INVALID",
  "TOKEN_MISSING",
  "UNAUTHENTICATED",
  "AUTH_REQUIRED",
];

/** What to do about an answer: the first row of the table that fits, within the budget. */
export function decide<T, C extends string>(
  answer: Answer<T, C> | Contradiction,
  history: History = {},
  policy: Policy = {},
  argv: readonly string[] = [],
): Decision {
  let decision = firstRow(answer, history, policy, argv);
  if (decision.waitMs !== undefined) {
    const code = answer instanceof Answer ? answer.error?.code : undefined;
    const used = countOf(code, history);
    if (used >= (policy.retries ?? 3)) {
      decision = make("give-up", "budget", "the retries are used up");
    } else if (decision.waitMs > (policy.remainingMs ?? Infinity)) {
      const reason = "the wait exceeds the deadline";
      decision = make("give-up", decision.row, reason);
    }
  }
  return { ...decision, notes: notesOf(answer) };
}

function firstRow<T, C extends string>(
  answer: Answer<T, C> | Contradiction,
  history: History,
  policy: Policy,
  argv: readonly string[],
): Decision {
  if (answer instanceof Contradiction) return contradiction(answer);
  const { error, exitClass, exitCode } = answer;
  if (error === null) return success(answer, history, policy);
  const code = error.code.toUpperCase();
  const [retry, effects] = CONCLUSIONS[exitClass];
  const idempotent = policy.idempotent ?? false;
  const alike = countOf(error.code, history);
  const validation = error.phase === "validation";
  const violent =
    exitCode < 0 || exitCode === 101 || exitCode === 124 || exitCode >= 128;
  const partlyDone = violent || (effects === "partial" && !validation);
  // "Retryable" promises that nothing happened, which settles what is only unknown.
  const unknown =
    effects === "unknown" && error.retryable !== true && !validation;
  const mayHaveEffects = !idempotent && (partlyDone || unknown);
  const wrongArguments = exitClass === "ARG_ERROR" && !mayHaveEffects;
  const isLock =
    (exitClass === "CONFLICT" || exitClass === "PRECONDITION") &&
    effects === "none" &&
    !mayHaveEffects;
  const forbidden =
    retry === "no" || retry === "after-fix"
      ? !idempotent
      : exitCode >= 64 && exitCode <= 78;
  const mayCallAgain = !forbidden && !mayHaveEffects;
  const aboutCredentials =
    exitClass === "AUTH_REQUIRED" || [...EXPIRED, ...NEEDED].includes(code);
  const refreshes =
    EXPIRED.includes(code) &&
    history.refreshed !== true &&
    alike === 0 &&
    !partlyDone &&
    !mayHaveEffects;
  const exponential = backOff(alike, policy.jitter ?? 0);
  const again = (row: string, waitMs: number, reason: string): Decision => ({
    ...make(
      exitClass === "ARG_ERROR" ? "correct-arguments" : "retry",
      row,
      reason,
    ),
    waitMs,
  });

  // 9: the command has moved.
  if (exitClass === "REDIRECTED") {
    return redirected(error.redirect, history, policy, argv);
  }
  // 10: a command corrects it.
  if (
    error.fixCommand !== undefined &&
    !(policy.refresh === true && refreshes)
  ) {
    const [row, words] = ["fix-command", wordsOf(error.fixCommand)] as const;
    if (mayHaveEffects) {
      return make("inspect-state", row, "some of the work may be done already");
    }
    if (history.fixed === true) {
      return make("give-up", row, "a fix was applied and it still fails");
    }
    if (policy.fixes !== true) {
      return make("escalate", row, "the caller must allow the stated fix");
    }
    if (words === undefined) {
      return make("escalate", row, "the fix cannot be run without a shell");
    }
    if (!mayRun(words, policy, argv)) {
      return make("escalate", row, "it is not the program that was called");
    }
    return {
      ...make("apply-fix", row, "the error states a command"),
      argv: words,
    };
  }
  // 11: something must be true first.
  if (error.fixRequired !== undefined && !refreshes) {
    const reason = `this must be true first: ${error.fixRequired}`;
    if (wrongArguments && history.fixed !== true && alike === 0) {
      return {
        ...make("correct-arguments", "fix-required", reason),
        waitMs: 0,
      };
    }
    return make("escalate", "fix-required", reason);
  }
  // 12: calling again will not help.
  if (error.retryable === false && retry !== "yes" && !aboutCredentials) {
    const row = "not-retryable";
    if (partlyDone) return make("inspect-state", row, "it may be partly done");
    return make("give-up", row, "calling again will not help");
  }
  // 13: the credentials are old.
  if (refreshes) return make("refresh-credentials", "token-expired", code);
  // 14: credentials are needed.
  if (aboutCredentials && !partlyDone) {
    return make("acquire-credentials", "credentials-needed", code);
  }
  // 15: the error says how long to wait.
  if (error.waitMs !== undefined) {
    const retryable = error.retryable ?? (retry === "yes" || isLock);
    if (retryable && (mayCallAgain || isLock)) {
      return again("wait-stated", error.waitMs, "the error says how long");
    }
  }
  if (error.retryable !== false && !mayHaveEffects) {
    // 16: too many calls.
    if (exitClass === "RATE_LIMITED") {
      return again("rate-limited", 60_000, "too many calls");
    }
    // 17: something it needs cannot be reached.
    if (exitClass === "UNAVAILABLE") {
      return again("unavailable", exponential, "not reachable");
    }
  }
  // 18: the error says that calling again may help.
  if (error.retryable === true && exitClass !== "TIMEOUT" && mayCallAgain) {
    let waitMs = 1000;
    if (exitClass === "ARG_ERROR" || error.strategy === "immediate") {
      waitMs = 0;
    } else if (error.strategy === "linear_backoff") {
      waitMs = Math.min(1000 * (alike + 1), LONGEST_WAIT_MS);
    } else if (error.strategy === "exponential_backoff") {
      waitMs = exponential;
    }
    return again("retryable", waitMs, "calling again may help");
  }
  // 19: the exit table decides.
  if (error.retryable === undefined) {
    const row = "retryable-absent";
    if ((retry === "yes" || retry === "after-fix") && wrongArguments) {
      return again(row, 0, "the arguments are wrong");
    }
    if (retry === "no" && effects === "partial") {
      return make("inspect-state", row, `${exitClass} leaves work partly done`);
    }
    if (retry === "no") {
      return make("give-up", row, `${exitClass} is not to be retried`);
    }
    if (retry === "after-fix" || (retry === "depends" && effects === "none")) {
      return make("escalate", row, `${exitClass} needs a correction first`);
    }
    if (validation) {
      return make("escalate", row, "nothing was done; something is wrong");
    }
  }
  // 20: the exit table says retry, the error says no.
  if (error.retryable === false && retry === "yes") {
    const row = "error-says-no";
    if (partlyDone) return make("inspect-state", row, "it may be partly done");
    return make("give-up", row, "the error says no");
  }
  // 21: the exit table says no, or a correction first, and the error says retry.
  if (error.retryable === true) {
    const row = "error-says-yes";
    if (retry === "no" && effects === "partial") {
      return make("inspect-state", row, "some of the work may be done");
    }
    if (retry === "no") return make("give-up", row, "the exit code says no");
    if (retry === "after-fix" && wrongArguments) {
      return again(row, 0, "the arguments are wrong");
    }
    if (retry === "after-fix") {
      return make("escalate", row, "the exit code says correct it first");
    }
  }
  // 22: it ran out of time.
  if (exitClass === "TIMEOUT" && error.retryable !== false) {
    const row = "timeout";
    if (mayHaveEffects) {
      return make("inspect-state", row, "some of the work may be done");
    }
    return again(row, exponential, "it may be called twice");
  }
  return byStatus(exitCode);
}

function success<T, C extends string>(
  answer: Answer<T, C>,
  history: History,
  policy: Policy,
): Decision {
  // 7: the kept answer holds.
  if (answer.notModified) {
    const row = "not-modified";
    if (policy.cached === true) {
      return make("use-cache", row, "nothing has changed");
    }
    if (history.reissued === true) {
      return make("escalate", row, "still not modified without a version");
    }
    const decision = make("retry", row, "there is no kept answer");
    return { ...decision, waitMs: 0, change: "without-etag" };
  }
  // 8: the data are not all.
  if (answer.truncated) {
    const row = "truncated";
    const cursor = answer.cursor ?? "";
    if (cursor === "") {
      return make("escalate", row, "there is no cursor: narrow the query");
    }
    if (history.cursors?.includes(cursor) === true) {
      return make("give-up", row, "the cursor was already asked for");
    }
    return { ...make("next-page", row, "there is more"), cursor };
  }
  return make("accept", "success", "the command succeeded");
}

function redirected(
  redirect: Redirect | undefined,
  history: History,
  policy: Policy,
  argv: readonly string[],
): Decision {
  const row = "redirected";
  if (redirect === undefined) {
    return make("escalate", row, "nothing says where to");
  }
  const words = wordsOf(redirect.command);
  if (words === undefined) {
    return make("escalate", row, "the command cannot be run without a shell");
  }
  const followed = history.redirects ?? [];
  if (followed.length >= (policy.hops ?? 5)) {
    return make("give-up", row, "too many redirects were followed");
  }
  const isSame =
    words.length === argv.length &&
    words.every((word, at) => word === argv[at]);
  if (followed.includes(redirect.command) || isSame) {
    return make("give-up", row, "it leads back to where it began");
  }
  if (policy.redirects === "never") {
    return make("escalate", row, "the caller follows no redirects");
  }
  if (!mayRun(words, policy, argv)) {
    return make("escalate", row, "it is not the program that was called");
  }
  const decision = make("redirect", row, "the command moved");
  return { ...decision, argv: words, remember: redirect.permanent };
}

function contradiction(answer: Contradiction): Decision {
  const { row, exitCode, message } = answer;
  if (row === "ok-true-exit-nonzero" || row === "error-key-absent") {
    return make("inspect-state", row, message);
  }
  if (row === "no-envelope" && exitCode !== 0) return byStatus(exitCode);
  return make("escalate", row, message);
}

function byStatus(exitCode: number): Decision {
  if (exitCode >= 0 && exitCode <= 13) {
    return make("inspect-state", "nothing-else", "nothing says what was done");
  }
  const row = "outside-the-table";
  if (exitCode >= 64 && exitCode <= 78) {
    return make("give-up", row, "a sysexits number, not to be retried");
  }
  const isOwn = exitCode >= 79 && exitCode <= 127;
  if (isOwn && exitCode !== 101 && exitCode !== 124) {
    return make("escalate", row, "the program's own number, or it never ran");
  }
  return make("inspect-state", row, "some of the work may be done");
}

function make(action: Action, row: string, reason: string): Decision {
  return { action, row, reason };
}

function countOf(code: string | undefined, history: History): number {
  return (history.attempts ?? []).filter((one) => one === code).length;
}

function backOff(alike: number, jitter: number): number {
  const wait = Math.min(1000 * 2 ** alike, LONGEST_WAIT_MS);
  const spread = Math.floor(wait * Math.min(Math.max(jitter, 0), 1));
  return Math.min(wait + spread, LONGEST_WAIT_MS);
}

function mayRun(
  words: readonly string[],
  policy: Policy,
  argv: readonly string[],
): boolean {
  const called = argv[0];
  if (policy.redirects === "any" || called === undefined) return true;
  return words[0] === called || words[0] === called.split("/").pop();
}

/** The words of a command, or undefined if only a shell could make sense of it. */
function wordsOf(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  const characters = [...command];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    const isMark = quote === "" && ";&|<>(){}*\n".includes(character);
    if (quote === "'") {
      if (character === "'") quote = "";
      else word = (word ?? "") + character;
    } else if ("$`".includes(character) || isMark) {
      return undefined;
    } else if (character === "\\") {
      at += 1;
      const escaped = characters[at];
      if (escaped === undefined) return undefined;
      const keeps = quote !== "" && !'"\\$`'.includes(escaped);
      word = (word ?? "") + (keeps ? character : "") + escaped;
    } else if (quote !== "") {
      if (character === quote) quote = "";
      else word = (word ?? "") + character;
    } else if ("'\"".includes(character)) {
      quote = character;
      word ??= "";
    } else if (" \t".includes(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (word === undefined && "#~".includes(character)) {
      return undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (word !== undefined) words.push(word);
  const program = words[0] ?? "";
  // NAME=value sets a variable, which only a shell does.
  if (quote !== "" || program === "" || program.includes("=")) return undefined;
  return words;
}

function notesOf<T, C extends string>(
  answer: Answer<T, C> | Contradiction,
): string[] {
  if (answer instanceof Contradiction) return [];
  return answer.warnings.flatMap((warning) => {
    const isOld = /deprecated|will be removed/i.test(warning);
    const plan = "plan to change this call: it will stop working";
    return [`warning: ${warning}`, ...(isOld ? [plan] : [])];
  });
}
