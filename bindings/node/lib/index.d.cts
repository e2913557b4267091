/** Milliseconds, or text such as `"500ms"`, `"30s"` or `"5m"`. */
export type Time = number | string
export type Bytes = string | Uint8Array
export type Trust = 'never' | 'same-program' | 'any'
export type Effect = 'none' | 'idempotent' | 'writes' | 'destroys' | 'unknown'
export type Action =
  | 'accept' | 'use-cache' | 'next-page' | 'retry' | 'correct-arguments' | 'refresh-credentials'
  | 'acquire-credentials' | 'redirect' | 'apply-fix' | 'inspect-state' | 'give-up' | 'escalate'
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** What a caller allows in one call, and what the program gets. Everything may be left out. */
export interface RunOptions {
  /** How long one attempt may take. */
  timeout?: Time | null
  /** How long the whole call may take, with all attempts and waits. */
  deadline?: Time | null
  /** The time between SIGTERM and SIGKILL; 1.5 seconds. */
  grace?: Time
  /** How long to wait for inherited pipes to close after the program exits; 1 second. */
  linger?: Time
  /** How many bytes of each stream are kept; 64 MiB. */
  maxOutput?: number
  /** How often to retry on one error code; 3. */
  retries?: number
  /** How many attempts there may be in all, for each page; 20. */
  maxAttempts?: number
  /** How many pages are fetched; 1000. */
  maxPages?: number
  /** The argument that asks for the page at a cursor; `--cursor`. */
  cursorFlag?: string
  /** The call may be made twice without harm, whatever is known about its effects. */
  idempotent?: boolean
  /** Beginnings of command lines that only read, such as `pr view`. */
  reads?: readonly string[]
  /** Exit codes that are a success too. */
  accept?: readonly number[]
  /** The longest wait; a longer one is handed back in `Outcome.next`. 2 minutes. */
  maxWait?: Time
  /** How long after the beginning of the call another attempt may begin; 10 minutes. */
  retryWindow?: Time
  /** Whose redirects are followed; `same-program`. */
  trust?: Trust
  /** How many redirects are followed; 5. */
  hops?: number
  /** Reject redirects and fixes that add one of these arguments. */
  deniedArgs?: readonly string[]
  /** Commands that errors state as fixes may be run. */
  fixes?: boolean
  /** The command that renews the credentials. */
  refresh?: readonly string[] | null
  /** The refresh command of the program's pack may be run, unless it asks a person. */
  refreshFromPacks?: boolean
  /** The dialect, if the caller knows it. */
  dialect?: string | null
  /** Whether the program answers in an envelope, if the caller knows that. */
  speaks?: 'unknown' | 'dialect' | 'nothing'
  /** The file in which permanent redirects are remembered. */
  redirectStore?: string | URL | null
  /** The directory of answers that may still hold. */
  cache?: string | URL | null
  /** The directory in which each attempt is left as a recorded run. */
  record?: string | URL | null
  /** The file that gets one line for the call. */
  log?: string | URL | null
  /** The file that gets one line of OpenTelemetry spans for the call. */
  spans?: string | URL | null
  /** What the program reads from its stdin, in every attempt; nothing if it is left out. */
  input?: Bytes | null
  /** The directory in which it runs. */
  cwd?: string | URL | null
  /** Variables that are added to the environment, or removed from it with `null`. */
  extraEnv?: { readonly [name: string]: string | null }
  /** An environment in which programs do not prompt, page, colour or open windows. */
  nonInteractive?: boolean
  /** Ends the program; the promise is rejected with the signal's reason once it has ended. */
  signal?: AbortSignal
}

/** What a caller should do next, by the decision table. */
export interface Next {
  action: Action
  /** When, if it is to be called again later. */
  afterMs: number | null
  why: string
}

/** Why a program failed. */
export interface Failure {
  code: string
  message: string
  /** Whether the program says that calling again can help. */
  retryable: boolean | null
  /** How long to wait before that. */
  waitMs: number | null
  /** What the program says should be done. */
  suggestion: string | null
  /** Everything that the error says, in the normal form. */
  raw: JsonObject
}

/** What a dialect could not say, or had to invent. */
export interface Loss {
  field: string
  fate: 'dropped' | 'changed' | 'invented'
  value: Json
  now: Json
}

/** An envelope in another dialect. */
export interface Conversion {
  dialect: string
  document: string
  /** The stream that the dialect writes it to. */
  stream: 'stdout' | 'stderr'
  /** The exit code that the dialect gives it. */
  exitCode: number
  /** What the dialect could not say. */
  losses: Loss[]
}

/** What came of a call: one envelope, the raw bytes behind it, and what to do next. */
export declare class Outcome<T = unknown> {
  private constructor()
  /** Whether the call succeeded, by its exit code and its answer. */
  readonly ok: boolean
  /** The payload. Text of a program without JSON is `{ stdout: … }`. It is not checked against `T`. */
  readonly data: T
  /** Why it failed; null if it did not. */
  readonly error: Failure | null
  readonly next: Next
  /** The exit code of the program, if it ended by itself. */
  readonly exitCode: number | null
  /** The signal that killed it, if one did. */
  readonly signal: number | null
  /** Why manila ended it, if it did. */
  readonly stopped: 'time-limit' | 'cancelled' | 'held-open' | 'terminal' | null
  /** What the program wrote to stdout in the attempt that counts. */
  readonly stdout: Buffer
  readonly stderr: Buffer
  /** The class of the outcome, such as `RATE_LIMITED`, or `UNKNOWN`. */
  readonly exitClass: string
  readonly attempts: number
  /** The rule that determined the class of a failure, where the program has no envelope. */
  readonly rule: string | null
  /** The dialect of the program's answer, if it is an envelope. */
  readonly dialect: string | null
  readonly warnings: Json[]
  /** The answer in its normal form, whatever dialect it came in. */
  readonly envelope: JsonObject
  /** Every attempt, what it took, what was decided and why. */
  readonly trace: JsonObject
  /** What `manila run --json` has in `meta.run`. */
  readonly summary: JsonObject
  /** The envelope in another dialect. */
  convert(to: string): Conversion
}

/** What else is known about what a program wrote. */
export interface SourceOptions {
  stderr?: Bytes
  /** How it ended; negative for death by that signal. */
  exitCode?: number | null
  argv?: readonly string[]
  dialect?: string | null
  maxBytes?: number
  maxDepth?: number
}

/** An envelope, and how it was found. */
export declare class Opened {
  private constructor()
  readonly envelope: JsonObject
  readonly ok: boolean
  readonly data: Json
  readonly error: Failure | null
  readonly exitClass: string
  readonly dialect: string
  readonly confidence: 'certain' | 'likely' | 'possible'
  readonly stream: 'stdout' | 'stderr'
  /** Everything odd about the bytes. */
  readonly facts: JsonObject[]
  /** Everything that is known, as `manila open --json` has it. */
  readonly raw: JsonObject
}

/** What happened before this attempt, and what the caller allows. */
export interface DecideOptions extends SourceOptions {
  /** The number of this attempt; earlier ones failed with the same code unless `after` says otherwise. */
  attempt?: number
  /** The error codes of earlier attempts. */
  after?: readonly string[]
  seenCursors?: readonly string[]
  followed?: readonly string[]
  refreshed?: boolean
  fixed?: boolean
  reissued?: boolean
  retries?: number
  hops?: number
  /** A number from 0 to 1 that spreads waits. */
  jitter?: number
  remainingMs?: number | null
  idempotent?: boolean
  cached?: boolean
  fixes?: boolean
  refresh?: boolean
  redirects?: Trust
}

/** What a caller should do about an answer, and which row of the table says so. */
export interface Decision {
  action: Action
  waitMs: number | null
  why: string
  row: string
  notes: string[]
  dialect: string | null
  exitClass: string | null
  /** The rule of a pack that determined the class. */
  rule: string | null
  /** What the call may change, if its program has a pack. */
  effects: Effect | null
  error: Failure | null
  /** With what belongs to the action: `cursor`, `argv`, `change` … */
  raw: JsonObject
}

/** What a call would change. */
export interface CallEffect {
  effect: Effect
  why: string
  rule: string
  pack: string | null
  evidence: string[]
  /** The part of the call that decided, if it has several. */
  part: string | null
  /** Whether the call may be made twice without harm. */
  repeatable: boolean
}

/** How a program is checked. */
export interface CheckOptions {
  /** The declaration; `manila.toml` in the working directory if it is there. */
  config?: string | URL | null
  /** How long the whole check may take, in milliseconds; a minute. */
  deadline?: number
  /** How long one run may take, in milliseconds; 5 seconds. */
  limit?: number
  /** How many runs are made at a time; as many as there are processors. */
  jobs?: number
  /** Rules and families; all if it is left out. */
  select?: readonly string[]
  ignore?: readonly string[]
  /** The least severe finding that keeps the program from conforming; `warning`. */
  failOn?: 'error' | 'warning' | 'note'
  /** A rule that is undecided keeps it from conforming too. */
  strict?: boolean
  /** Ask only the most telling rules, of a few commands. */
  quick?: boolean
  /** The program may use the network. */
  keepNetwork?: boolean
  /** Make every call although the system cannot confine the program. */
  unconfined?: boolean
  /** The directory in which each run is left as a recorded run. */
  record?: string | URL | null
  /** Ends the check. */
  signal?: AbortSignal
}

/** A rule that failed, and where. */
export interface Finding {
  rule: string
  severity: 'error' | 'warning' | 'note'
  command: string[]
  message: string
  /** What to type to see it. */
  reproduce: string
}

/** What a check found. */
export declare class Report {
  private constructor()
  readonly conforms: boolean
  /** `inconclusive`: nothing failed, but most is undecided. */
  readonly outcome: 'conforms' | 'does-not-conform' | 'inconclusive'
  readonly findings: Finding[]
  /** The whole report, as `manila check --format json` has it. */
  readonly raw: JsonObject
  render(format?: 'human' | 'json' | 'sarif' | 'junit' | 'github' | 'markdown' | 'html'): string
}

/** Something that manila itself could not do. What a program does wrong is never an error. */
export declare class ManilaError extends Error {
  constructor(message: string, kind: string, hint?: string | null)
  /** What went wrong, to match on: `no-envelope`, `not-found`, `bad-declaration` … */
  readonly kind: string
  /** What to do about it, if that is known. */
  readonly hint: string | null
}

/**
 * Runs a program, retries it where that is safe, and resolves to what came of it. A program that fails, does
 * not exist or never answers is an outcome, not an error.
 */
export declare function run<T = unknown>(argv: readonly string[], options?: RunOptions): Promise<Outcome<T>>
/** Finds the envelope in what a program wrote, in whatever dialect. Rejects with `ManilaError` if there is none. */
export declare function open(stdout?: Bytes, options?: SourceOptions): Promise<Opened>
/** Decides what a caller should do about what a program wrote, or about an outcome. */
export declare function decide(answer?: Bytes | Outcome, options?: DecideOptions): Promise<Decision>
/** Writes what a program wrote, or an outcome, in another dialect, and lists what that cannot say. */
export declare function convert(
  answer: Bytes | Outcome,
  options: SourceOptions & { to: string },
): Promise<Conversion>
/** Says what a call would change, without running it. Text is a command line of a shell. */
export declare function effects(call: readonly string[] | string): Promise<CallEffect>
/** Checks what a program answers. Only calls that are known to be read-only are made. */
export declare function check(argv?: readonly string[], options?: CheckOptions): Promise<Report>
