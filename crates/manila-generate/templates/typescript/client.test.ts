// {{header}}
// Do not edit: change what it is made from and generate it again.
//
// tsc --strict --target es2022 --module nodenext --types node --outDir build *.ts
// node --test build

import assert from "node:assert/strict";
import { test } from "node:test";
import * as client from "./client.js";

/** A document that is read. */
type Document = { [name: string]: unknown };

/** What a call left behind, and what to do about it. */
interface Case {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
  readonly argv: readonly string[];
  readonly history: client.History;
  readonly policy: client.Policy & { readonly remaining_ms?: number };
  readonly expect: Document;
}

/** A member of a document that is set or removed. */
interface Edit {
  readonly of: string;
  readonly path: string;
  readonly value?: client.Json;
}

const CASES = JSON.parse(String.raw`
{{cases}}
`) as Case[];

/** Failures without a document, and what to do about each. */
const FAILURES = JSON.parse(String.raw`
{{by_hand}}
`) as {
  readonly code: string;
  readonly exit_code: number;
  readonly class: client.ExitClass;
  readonly retryable: boolean | null;
  readonly wait_ms: number | null;
  readonly strategy: string | null;
  readonly alike: number;
  readonly jitter: number;
  readonly idempotent: boolean;
  readonly expect: Document;
}[];

/** What a call left behind, and what an answer says. */
const ANSWERS = JSON.parse(String.raw`
{{answers}}
`) as {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
  readonly expect: Document;
}[];

/** The classes, with what may be concluded from each. */
const CLASSES = JSON.parse(String.raw`
{{classes}}
`) as [client.ExitClass, client.Retry, client.Effects][];

/** The exit codes, with the class of each. */
const NUMBERS = JSON.parse(String.raw`
{{exit_rows}}
`) as [number, client.ExitClass][];

/** The documents of the paths of the contract. */
const EXPECTED = JSON.parse(String.raw`
{{expected}}
`) as Record<string, Document>;

/** Changes of those documents that break a rule. */
const BROKEN = JSON.parse(String.raw`
{{broken}}
`) as Edit[];
{{#samples}}

/** A command, a payload that its schema allows, and one that it does not. */
const SAMPLES = JSON.parse(String.raw`
{{samples}}
`) as [string, client.Json, client.Json][];
{{/samples}}

/** The exit codes of the documents that are failures. */
const EXITS: Record<string, number> = {
  failure: {{failure_exit}},
  redirect: {{redirect_exit}},
};

type Read = client.Answer<client.Json, string> | client.Contradiction;

function read(
  out: string,
  err: string,
  exitCode: number,
  command?: string,
): Read {
  try {
    return client.open(out, err, exitCode, command);
  } catch (error) {
    if (error instanceof client.Contradiction) return error;
    throw error;
  }
}

function answered(document: unknown, exitCode: number, command?: string): Read {
  const text = JSON.stringify(document);
  return read(text, text, exitCode, command);
}

test("decisions", () => {
  for (const one of CASES) {
    const answer = read(one.stdout, one.stderr, one.exit_code);
    const { remaining_ms: remainingMs, ...rest } = one.policy;
    const policy = remainingMs === undefined ? rest : { ...rest, remainingMs };
    const found = client.decide(answer, one.history, policy, one.argv);
    const { notes, reason, waitMs, ...others } = found;
    const wait = waitMs === undefined ? {} : { wait_ms: waitMs };
    assert.deepEqual({ ...others, ...wait }, one.expect, JSON.stringify(one));
    assert.notEqual(reason, "");
    assert.equal(Array.isArray(notes), true);
  }
});

test("failures without a document", () => {
  for (const one of FAILURES) {
    const error = {
      code: one.code,
      message: "it failed",
      retryable: one.retryable ?? undefined,
      waitMs: one.wait_ms ?? undefined,
      strategy: one.strategy ?? undefined,
    };
    const answer = new client.Answer(one.exit_code, one.class, null, error);
    const attempts = Array.from({ length: one.alike }, () => one.code);
    const { jitter, idempotent } = one;
    const policy = { jitter, idempotent, retries: 500 };
    const found = client.decide(answer, { attempts }, policy);
    const { row, action, waitMs } = found;
    const wait = waitMs === undefined ? {} : { wait_ms: waitMs };
    assert.deepEqual({ row, action, ...wait }, one.expect, JSON.stringify(one));
  }
});

test("answers say what their documents say", () => {
  for (const one of ANSWERS) {
    const answer = read(one.stdout, one.stderr, one.exit_code);
    assert.ok(answer instanceof client.Answer, `${one.stdout}: ${answer}`);
    const { error } = answer;
    const moved = error?.redirect;
    const found = {
      exit_class: answer.exitClass,
      warnings: answer.warnings,
      not_modified: answer.notModified,
      truncated: answer.truncated,
      cursor: answer.cursor,
      data: answer.data ?? undefined,
      code: error?.code,
      message: error?.message,
      suggestion: error?.suggestion,
      retryable: error?.retryable,
      wait_ms: error?.waitMs,
      strategy: error?.strategy,
      phase: error?.phase,
      fix_required: error?.fixRequired,
      fix_command: error?.fixCommand,
      redirect: moved && [moved.command, moved.permanent],
    };
    const stated: unknown = JSON.parse(JSON.stringify(found));
    assert.deepEqual(stated, one.expect, one.stdout + one.stderr);
  }
});

test("what follows from a class", () => {
  for (const [name, ...conclusion] of CLASSES) {
    assert.deepEqual(client.CONCLUSIONS[name], conclusion, name);
  }
  assert.equal(Object.keys(client.CONCLUSIONS).length, CLASSES.length);
  assert.deepEqual([...client.EXIT_CLASSES], NUMBERS);
});

test("warnings are noted", () => {
  const warnings = ["it is Deprecated", "x will be removed", "y"];
  const answer = new client.Answer(0, "SUCCESS", {}, null, warnings);
  const planned = "plan to change this call: it will stop working";
  const decision = client.decide(answer);
  assert.equal(decision.action, "accept");
  assert.deepEqual(decision.notes, [
    "warning: it is Deprecated",
    planned,
    "warning: x will be removed",
    planned,
    "warning: y",
  ]);
});

test("valid documents are read", () => {
  for (const [name, document] of Object.entries(EXPECTED)) {
    const answer = answered(document, EXITS[name] ?? 0);
    assert.ok(answer instanceof client.Answer, `${name}: ${answer}`);
    assert.equal(answer.ok, !Object.hasOwn(EXITS, name));
    assert.equal(answer.error === null, answer.ok);
  }
});

test("broken documents are refused", () => {
  for (const edit of BROKEN) {
    const document = structuredClone(EXPECTED[edit.of] ?? {});
    const names = edit.path.split(".");
    const last = names.pop() ?? "";
    let inner = document;
    for (const name of names) inner = inner[name] as Document;
    if (edit.value === undefined) delete inner[last];
    else inner[last] = edit.value;
    const answer = answered(document, EXITS[edit.of] ?? 0);
    assert.ok(answer instanceof client.Contradiction, JSON.stringify(edit));
  }
});

{{checker_test}}

test("what is no object is no answer", () => {
  for (const document of [[], 1, null, "text"]) {
    const answer = answered(document, 0);
    assert.ok(answer instanceof client.Contradiction);
    assert.equal(answer.row, "no-envelope");
  }
});
{{#samples}}

test("payloads are read", () => {
  const envelope = (data: client.Json): Document => {
    {{put_data}}
  };
  for (const [command, good, bad] of SAMPLES) {
    const answer = answered(envelope(good), 0, command);
    assert.ok(answer instanceof client.Answer, `${command}: ${answer}`);
    assert.deepEqual(answer.data, good);
    const refused = answered(envelope(bad), 0, command);
    assert.ok(refused instanceof client.Contradiction, command);
    assert.equal(refused.row, "no-envelope");
    assert.match(refused.message, /^data[:.[]/);
  }
});

test("undeclared codes are refused", () => {
  const commands = JSON.parse(String.raw`
{{command_codes}}
`) as Record<string, string[]>;
  const code = {{failure_code}};
  const text = JSON.stringify(EXPECTED["failure"]);
  const odd: unknown = JSON.parse(text.replace(code, "SURPRISE"));
  for (const [command, codes] of Object.entries(commands)) {
    const answer = answered(EXPECTED["failure"], {{failure_exit}}, command);
    assert.equal(answer instanceof client.Answer, codes.includes(code));
    const refused = answered(odd, {{failure_exit}}, command);
    assert.ok(refused instanceof client.Contradiction, command);
  }
});
{{/samples}}
