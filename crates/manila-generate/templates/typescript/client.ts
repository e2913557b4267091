// {{header}}
// Do not edit: change what it is made from and generate it again.

/**
 * Answers in {{dialect}}, as a caller reads them.
 *
 * `read()` makes an `Answer` of what a call left behind and throws `Contradiction` when the
 * process, the document and the contract disagree. `decide()` says what to do next.
 */

{{exit_class_type}}

export type Retry = "not-needed" | "yes" | "depends" | "after-fix" | "no";

export type Effects = "complete" | "none" | "partial" | "unknown";

/** The class of each exit code. */
export const EXIT_CLASSES: ReadonlyMap<number, ExitClass> = new Map([
  {{exits}}
]);

/** Whether a call may be made again, and what it may have changed. */
export type Conclusion = readonly [Retry, Effects];

export const CONCLUSIONS: Readonly<Record<ExitClass, Conclusion>> = {
  {{conclusions}}
};
{{#coarse}}

/** The classes of the error codes that the dialect names. */
export const CODE_CLASSES: ReadonlyMap<string, ExitClass> = new Map([
  {{code_classes}}
]);
{{/coarse}}

{{error_code_type}}
{{#types}}

{{types}}
{{/types}}

/** The command that replaces the one that was called. */
export interface Redirect {
  readonly command: string;
  readonly permanent: boolean;
}

/** What went wrong. What the document does not say is undefined. */
export interface Failure<C extends string> {
  readonly code: C;
  readonly message: string;
  readonly suggestion?: string | undefined;
  readonly retryable?: boolean | undefined;
  readonly waitMs?: number | undefined;
  readonly strategy?: string | undefined;
  readonly phase?: string | undefined;
  readonly fixRequired?: string | undefined;
  readonly fixCommand?: string | undefined;
  readonly redirect?: Redirect | undefined;
}

/** What a call answered. */
export class Answer<T, C extends string> {
  constructor(
    readonly exitCode: number,
    readonly exitClass: ExitClass,
    readonly data: T | null,
    readonly error: Failure<C> | null,
    readonly warnings: readonly string[] = [],
    readonly notModified = false,
    readonly truncated = false,
    readonly cursor: string | undefined = undefined,
  ) {}

  /** Whether the exit code is 0. */
  get ok(): boolean {
    return this.exitCode === 0;
  }
}

/** An answer that cannot be believed, and the row of the decision table that it falls under. */
export class Contradiction extends Error {
  constructor(
    readonly row: string,
    readonly exitCode: number,
    message: string,
  ) {
    super(message);
  }
}
{{#commands}}

/** Reads what a call of a command left behind. An exit code below 0 is a signal. */
export function read<C extends Command>(
  command: C,
  stdout: string,
  stderr: string,
  exitCode: number,
): Answer<Payloads[C], ErrorCodes[C]> {
  const answer = open(stdout, stderr, exitCode, command);
  return answer as unknown as Answer<Payloads[C], ErrorCodes[C]>;
}
{{/commands}}

/** Reads what a call left behind, whatever it was a call of. */
export function open(
  stdout: string,
  stderr: string,
  exitCode: number,
  command?: string,
): Answer<Json, string> {
  const refuse = (row: string, message: string) =>
    new Contradiction(row, exitCode, message);
  let document: unknown;
  try {
    document = JSON.parse({{stream}});
  } catch (problem) {
    throw refuse("no-envelope", `there is no document: ${problem}`);
  }
  if (!isObject(document)) {
    throw refuse("no-envelope", "the document is no object");
  }
  const claimed = {{claimed}};
  if (exitCode === 0 && claimed === false) {
    const message = "exit code 0, and the document says that it failed";
    throw refuse("ok-false-exit-zero", message);
  }
  if (exitCode !== 0 && claimed === true) {
    const message = `exit code ${exitCode}, and the document says that it succeeded`;
    throw refuse("ok-true-exit-nonzero", message);
  }
{{#error_always}}
  if (!Object.hasOwn(document, "{{error_key}}")) {
    throw refuse("error-key-absent", "there is no error key");
  }
{{/error_always}}
{{#nothing_said}}
  const meta = document["{{meta_key}}"];
  const reasons = [{{no_data}}];
  const hasReason = isObject(meta) && reasons.some((name) => meta[name]);
  const isEmpty = document["data"] == null && document["error"] == null;
  if (isEmpty && !hasReason) {
    throw refuse("data-and-error-null", "neither data nor error");
  }
{{/nothing_said}}
  const broken = violations(ENVELOPE_SCHEMA, document, ENVELOPE_SCHEMA);
  const data = {{data}};
  const schema = command === undefined ? undefined : DATA_SCHEMAS[command];
  if (exitCode === 0 && data != null && schema !== undefined) {
    broken.push(...violations(schema, data, DEFINITIONS, "data"));
  }
  const error = exitCode === 0 ? null : failure(document{{exit_argument}});
  const codes = command === undefined ? undefined : COMMAND_CODES[command];
  if (error !== null && codes !== undefined && !codes.includes(error.code)) {
    broken.push(`error.code: ${error.code} is not a code of this command`);
  }
  if (broken.length > 0) throw refuse("no-envelope", broken.join("; "));
  return new Answer(
    exitCode,
    classOf(exitCode{{code_argument}}),
    exitCode === 0 ? (data as Json) : null,
    error,
    {{warnings}},
    {{not_modified}},
    {{truncated}},
    {{cursor}},
  );
}

{{failure_function}}
{{#coarse}}

function classOf(exitCode: number, code: string): ExitClass {
  const byNumber = EXIT_CLASSES.get(exitCode) ?? "GENERAL_ERROR";
  if (byNumber !== "GENERAL_ERROR" || exitCode < 0) return byNumber;
  // One number covers many classes, and the code says which.
  const known = CODE_CLASSES.get(code);
  if (known !== undefined) return known;
  const isClass = code !== "SUCCESS" && Object.hasOwn(CONCLUSIONS, code);
  if (isClass) return code as ExitClass;
  if (code.toLowerCase().endsWith("not_found")) return "NOT_FOUND";
  return code.toLowerCase().startsWith("token_") ? "AUTH_REQUIRED" : byNumber;
}
{{/coarse}}
{{^coarse}}

function classOf(exitCode: number): ExitClass {
  return EXIT_CLASSES.get(exitCode) ?? "GENERAL_ERROR";
}
{{/coarse}}

function at(value: unknown, ...path: string[]): unknown {
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  return value;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
{{#has_flags}}

function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}
{{/has_flags}}
{{#has_lists}}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
{{/has_lists}}
{{#wait_ms}}

function integer(value: unknown): number | undefined {
  return Number.isInteger(value) ? Number(value) : undefined;
}
{{/wait_ms}}
{{#wait_seconds}}

function milliseconds(value: unknown): number | undefined {
  return Number.isInteger(value) ? Number(value) * 1000 : undefined;
}
{{/wait_seconds}}
{{#has_redirect}}

function redirectOf(value: unknown): Redirect | undefined {
  const command = text(at(value, "command"));
  if (command === undefined) return undefined;
  return { command, permanent: at(value, "permanent") === true };
}
{{/has_redirect}}
{{#payload}}

/** The members beside the envelope's own, or what stands below `data`. */
function payload(document: { [name: string]: unknown }): unknown {
  const own = {{own_set}};
  const members = Object.entries(document).filter(
    ([name]) => !own.includes(name),
  );
  const isBelow = members.length === 1 && members[0]?.[0] === "data";
  return isBelow ? document["data"] : Object.fromEntries(members);
}
{{/payload}}

{{decide}}

/** The error codes of each command. */
const COMMAND_CODES = JSON.parse(String.raw`
{{command_codes}}
`) as Readonly<Record<string, readonly string[]>>;

/** The JSON Schema that every document satisfies. */
const ENVELOPE_SCHEMA = JSON.parse(String.raw`
{{schema}}
`) as Schema;

/** The JSON Schema of each command's data. */
const DATA_SCHEMAS = JSON.parse(String.raw`
{{data_schemas}}
`) as Readonly<Record<string, Schema>>;

/** The definitions that they refer to. */
const DEFINITIONS = JSON.parse(String.raw`
{{definitions}}
`) as Schema;

{{checker}}
