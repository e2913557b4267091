// {{header}}
// Do not edit: change what it is made from and generate it again.

/**
 * Answers of a command-line program in {{dialect}}.
 *
 * A command handler returns `succeed(...)` or `fail(...)`. `respond()` calls the handler, times it
 * and makes the envelope; handlers never do. `emit()` writes the envelope and sets the exit code.
 * With MANILA_CHECK=1 every envelope is validated before it is written.
 */

export const EXIT_CODES = {
  {{exit_codes}}
} as const;

export type ExitClass = keyof typeof EXIT_CODES;

/** The exit code of each error code. */
export const ERROR_EXITS = {
  {{error_exits}}
} as const;

export type ErrorCode = keyof typeof ERROR_EXITS;
{{#retryable}}

/** The exit codes after which the same call may be made again. */
export const RETRYABLE: ReadonlySet<number> = {{retryable}};
{{/retryable}}

{{types}}

/** An answer that contradicts itself. It is a bug in the program, not a failure of a call. */
export class EnvelopeError extends Error {}

/** What a command handler returns. `succeed()` and the functions below it make one. */
export interface Result<T> {
  readonly exitCode: number;
  readonly data: T | null;
  readonly error: ErrorDetail | null;
{{#warnings}}
  readonly warnings?: readonly string[];
{{/warnings}}
{{#issues}}
  readonly issues?: readonly Issue[];
{{/issues}}
{{#meta}}
  readonly meta?: ResponseMeta;
{{/meta}}
}
{{#extras}}

/** What an answer may say beside its data. */
export interface Extras {
{{#warnings}}
  readonly warnings?: readonly string[];
{{/warnings}}
{{#issues}}
  readonly issues?: readonly Issue[];
{{/issues}}
{{#meta}}
  readonly meta?: ResponseMeta;
{{/meta}}
}
{{/extras}}

/** A success with its data. */
{{succeed_signature}}
  return { exitCode: 0, data, error: null{{spread_extras}} };
}

/** A failure. Its code decides the exit code. */
{{fail_signature}}
  const exitCode = ERROR_EXITS[code];
  const error: ErrorDetail = {{error_literal}};
  return { exitCode, data: null, error{{spread_fail_extras}} };
}
{{#page}}

/** A list, cut where its JSON would exceed `maxBytes`; `cursor` names where the rest begins. */
export function page<T>(
  items: readonly T[],
  maxBytes: number,
  cursor: (kept: number) => string = String,
): Result<readonly T[]> {
  let kept = 0;
  let size = 2;
  for (const item of items) {
    size += Buffer.byteLength(JSON.stringify(item)) + (kept > 0 ? 1 : 0);
    if (size > maxBytes && kept > 0) break;
    kept += 1;
  }
  if (kept === items.length) return succeed(items);
  const meta = { {{truncated}}: true, {{cursor}}: cursor(kept) };
  return succeed(items.slice(0, kept), { meta });
}
{{/page}}
{{#cache}}

/** A cache hit: what the caller has still holds, so that there is no data. */
export function notModified(): Result<never> {
  return {
    exitCode: 0,
    data: null,
    error: null,
    meta: { {{not_modified}}: true },
  };
}
{{/cache}}

/** One answer. Only `respond()` makes one; `ok` follows from the exit code. */
export class ResponseEnvelope<T> {
  readonly exitCode: number;
  readonly data: T | null;
  readonly error: ErrorDetail | null;
{{#warnings}}
  readonly warnings: readonly string[];
{{/warnings}}
{{#issues}}
  readonly issues: readonly Issue[];
{{/issues}}
{{#meta}}
  readonly meta: ResponseMeta;
{{/meta}}
{{#kind}}
  readonly kind: string;
{{/kind}}
  readonly durationMs: number;

  /** @internal */
  constructor(result: Result<T>, durationMs: number{{kind_parameter}}) {
    this.exitCode = result.exitCode;
    this.data = result.data;
    this.error = result.error;
{{#warnings}}
    this.warnings = result.warnings ?? [];
{{/warnings}}
{{#issues}}
    this.issues = result.issues ?? [];
{{/issues}}
{{#meta}}
    this.meta = result.meta ?? {};
{{/meta}}
{{#kind}}
    this.kind = kind;
{{/kind}}
    this.durationMs = durationMs;
  }

  /** Whether the exit code is 0. */
  get ok(): boolean {
    return this.exitCode === 0;
  }

  /** The envelope as {{dialect}} has it. */
  toJSON(): { [name: string]: unknown } {
    {{document}}
  }
}

/** Calls a handler, times it, and makes the envelope of what it returns. */
{{respond_signature}}
  const started = performance.now();
  const result = await handler();
  if (result.exitCode !== 0 && result.error === null) {
    throw new EnvelopeError(`exit code ${result.exitCode} without an error`);
  }
  if (result.exitCode !== 0 && result.data !== null) {
    throw new EnvelopeError(`exit code ${result.exitCode} with data`);
  }
  if (result.exitCode === 0 && result.error !== null) {
    throw new EnvelopeError("exit code 0 with an error");
  }
{{#data_needed}}
  {{nothing_said}}
    throw new EnvelopeError("neither data nor error");
  }
{{/data_needed}}
  const durationMs = Math.round(performance.now() - started);
  const envelope = new ResponseEnvelope(result, durationMs{{kind_value}});
  if (process.env["MANILA_CHECK"] === "1") {
    const document: unknown = JSON.parse(JSON.stringify(envelope));
    const broken = validate(document, envelope.exitCode);
{{#samples}}
    const schema = command === undefined ? undefined : DATA_SCHEMAS[command];
    if (envelope.ok && schema !== undefined) {
      const data: unknown = JSON.parse(JSON.stringify(envelope.data));
      broken.push(...violations(schema, data, DEFINITIONS, "data"));
    }
{{/samples}}
    if (broken.length > 0) throw new EnvelopeError(broken.join("; "));
  }
  return envelope;
}

/** Writes an envelope to its stream and sets the exit code of the process. */
export function emit<T>(
  envelope: ResponseEnvelope<T>,
  streams: Streams = process,
): void {
  {{stream}}
  // A reader that has closed its end is no failure of ours.
  stream.on?.("error", () => undefined);
  stream.write(`${JSON.stringify(envelope{{spelling}})}\n`);
  process.exitCode = envelope.exitCode;
}

/** Where answers go. */
export interface Streams {
  readonly stdout: Sink;
  readonly stderr: Sink;
}

/** What text is written to. */
export interface Sink {
  write(text: string): unknown;
  on?(event: "error", listener: () => void): unknown;
}

/** What is wrong with a document of a run that ended with this exit code. */
export function validate(document: unknown, exitCode: number): string[] {
  const broken = violations(ENVELOPE_SCHEMA, document, ENVELOPE_SCHEMA);
  const claim = isObject(document) ? document["{{claim}}"] : undefined;
  if ({{claim_test}}) {
    broken.push(`{{claim}}: ${claim} contradicts exit code ${exitCode}`);
  }
  return broken;
}

/** The JSON Schema that every document satisfies. */
export const ENVELOPE_SCHEMA: Schema = JSON.parse(String.raw`
{{schema}}
`) as Schema;
{{#samples}}

/** The JSON Schema of each command's data. */
const DATA_SCHEMAS = JSON.parse(String.raw`
{{data_schemas}}
`) as Readonly<Record<string, Schema>>;

/** The definitions that they refer to. */
const DEFINITIONS = JSON.parse(String.raw`
{{definitions}}
`) as Schema;
{{/samples}}

{{checker}}
{{#payload}}

/** The members of the payload; what cannot stand at the top stands below `data`. */
function payload(data: unknown): { [name: string]: unknown } {
  const names = isObject(data) ? Object.keys(data) : [];
  if (isObject(data) && !names.some((name) => OWN_KEYS.has(name))) return data;
  return { data };
}

/** The members that belong to the envelope. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  {{own_keys}}
]);
{{/payload}}
