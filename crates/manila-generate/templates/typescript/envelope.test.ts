// {{header}}
// Do not edit: change what it is made from and generate it again.
//
// tsc --strict --target es2022 --module nodenext --types node --outDir build *.ts
// node --test build

import assert from "node:assert/strict";
import { test } from "node:test";
import * as program from "./envelope.js";

/** A document that is compared. */
type Document = { [name: string]: unknown };

/** A member of a document that is set or removed. */
interface Edit {
  readonly of: string;
  readonly path: string;
  readonly value?: program.Json;
}

/** The documents that each path must produce. */
const EXPECTED = JSON.parse(String.raw`
{{expected}}
`) as Record<string, Document>;

/** Changes of those documents that break a rule. */
const BROKEN = JSON.parse(String.raw`
{{broken}}
`) as Edit[];

/** Changes that break none. */
const ACCEPTED = JSON.parse(String.raw`
{{accepted}}
`) as Edit[];
{{#samples}}

/** A command, a payload that its schema allows, and one that it does not. */
const SAMPLES = JSON.parse(String.raw`
{{samples}}
`) as [string, program.Json, program.Json][];
{{/samples}}

const DATA = {{data}};
const CODE = {{failure_code}};

function failed(): program.Result<never> {
  return program.fail(CODE, "There is no such thing"{{more_argument}});
}

process.env["MANILA_CHECK"] = "1";

function answer<T>(
  result: program.Result<T>,
): Promise<program.ResponseEnvelope<T>> {
  return program.respond(() => result{{kind_argument}});
}

/** The document of an envelope, with what differs from run to run replaced. */
function settled<T>(envelope: program.ResponseEnvelope<T>): Document {
  const document = JSON.parse(JSON.stringify(envelope)) as Document;
{{#volatile}}
  {{volatile}}
{{/volatile}}
  return document;
}

function expected(name: string): Document {
  return structuredClone(EXPECTED[name] ?? {});
}

function change(document: Document, edit: Omit<Edit, "of">): Document {
  const names = edit.path.split(".");
  const last = names.pop() ?? "";
  let inner = document;
  for (const name of names) inner = inner[name] as Document;
  if (edit.value === undefined) delete inner[last];
  else inner[last] = edit.value;
  return document;
}

function broken(document: unknown): string[] {
  const schema = program.ENVELOPE_SCHEMA;
  return program.violations(schema, document, schema);
}

test("success", async () => {
  const envelope = await answer(program.succeed(DATA));
  assert.equal(envelope.ok, true);
  assert.equal(envelope.exitCode, 0);
  assert.equal(envelope.error, null);
  assert.deepEqual(settled(envelope), expected("success"));
});

test("failure", async () => {
  const envelope = await answer(failed());
  assert.equal(envelope.ok, false);
  assert.equal(envelope.exitCode, {{failure_exit}});
  assert.equal(envelope.data, null);
  assert.deepEqual(settled(envelope), expected("failure"));
});
{{#page}}

test("truncation", async () => {
  const items = [0, 1, 2, 3, 4].map((id) => ({ id }));
  const envelope = await answer(program.page(items, 30));
  assert.deepEqual(settled(envelope), expected("truncation"));
  const whole = await answer(program.page(items, 60));
  assert.deepEqual(whole.data, items);
  assert.equal(whole.meta.{{truncated}}, undefined);
  const exact = await answer(program.page(items, 46));
  assert.deepEqual(exact.data, items);
  const short = await answer(program.page(items, 45));
  assert.deepEqual(short.data, items.slice(0, 4));
  const one = await answer(program.page(items, 1));
  assert.deepEqual(one.data, items.slice(0, 1));
});
{{/page}}
{{#cache}}

test("cache hit", async () => {
  const envelope = await answer(program.notModified());
  assert.equal(envelope.ok, true);
  assert.equal(envelope.exitCode, 0);
  assert.deepEqual(settled(envelope), expected("cache_hit"));
});
{{/cache}}
{{#redirect}}

test("redirect", async () => {
  for (const permanent of [true, false]) {
    const redirect = {
      command: {{replacement}},
      permanent,
      reason: "renamed",
    } as const;
    const envelope = await answer(
      program.fail({{redirect_code}}, "It was renamed", { redirect }),
    );
    assert.equal(envelope.exitCode, {{redirect_exit}});
    const document = expected("redirect");
    change(document, { path: "error.redirect.permanent", value: permanent });
    assert.deepEqual(settled(envelope), document);
  }
});
{{/redirect}}

test("ok cannot be set", async () => {
  const envelope = await answer(program.succeed(DATA));
  assert.throws(() => Object.assign(envelope, { ok: false }), TypeError);
});

test("an answer that contradicts itself is refused", async () => {
  // Without the validator, which would refuse them too.
  process.env["MANILA_CHECK"] = "0";
  const { exitCode, error } = failed();
  const refused = (result: program.Result<typeof DATA>) =>
    assert.rejects(answer(result), program.EnvelopeError);
  await refused({ exitCode: 1, data: null, error: null });
  await refused({ exitCode, data: DATA, error });
  await refused({ exitCode: 0, data: DATA, error });
{{#data_needed}}
  await refused({ exitCode: 0, data: null, error: null });
{{/data_needed}}
  process.env["MANILA_CHECK"] = "1";
});

test("every code has its exit code", async () => {
  const exits = JSON.parse(String.raw`
{{exits}}
`) as {
    classes: Record<string, number>;
    codes: Record<program.ErrorCode, number>;
    retryable: number[];
  };
  assert.deepEqual(program.EXIT_CODES, exits.classes);
  assert.deepEqual(program.ERROR_EXITS, exits.codes);
  for (const [code, exitCode] of Object.entries(exits.codes)) {
    const result = program.fail(code as program.ErrorCode, "it failed");
    const envelope = await answer(result);
    assert.equal(envelope.exitCode, exitCode);
{{#retryable}}
    const retryable = exits.retryable.includes(exitCode);
    assert.equal(envelope.error?.{{retryable_key}}, retryable);
{{/retryable}}
  }
});

{{#retryable}}
test("a handler knows better whether to call again", async () => {
  for (const again of [true, false]) {
    const more = { {{retryable_key}}: again };
    const envelope = await answer(program.fail(CODE, "it failed", more));
    assert.equal(envelope.error?.{{retryable_key}}, again);
  }
});

{{/retryable}}
test("the call is timed", async (context) => {
  const ticks = [1000, 9000];
  context.mock.method(performance, "now", () => ticks.shift());
  assert.equal((await answer(program.succeed(DATA))).durationMs, 8000);
});

test("each outcome has its stream", async () => {
  const outcomes: [program.Result<unknown>, "stdout" | "stderr"][] = [
    [program.succeed(DATA), "{{success_stream}}"],
    [failed(), "{{failure_stream}}"],
  ];
  // The exit code of this process is the verdict of the tests.
  const verdict = process.exitCode;
  for (const [result, name] of outcomes) {
    const written = { stdout: "", stderr: "" };
    const envelope = await answer(result);
    program.emit(envelope, {
      stdout: { write: (text) => (written.stdout += text) },
      stderr: { write: (text) => (written.stderr += text) },
    });
    assert.equal(process.exitCode, envelope.exitCode);
    process.exitCode = verdict;
    const other = name === "stdout" ? "stderr" : "stdout";
    assert.equal(written[other], "");
    assert.equal(written[name].endsWith("\n"), true);
    assert.deepEqual(JSON.parse(written[name]), envelope.toJSON());
  }
});

test("a document is spelled as the dialect spells it", async () => {
  let text = "";
  const events: string[] = [];
  const stream = {
    write: (one: string) => (text += one),
    on: (event: string) => events.push(event),
  };
  const verdict = process.exitCode;
  const envelope = await answer(program.succeed({ n: 1 }));
  program.emit(envelope, { stdout: stream, stderr: stream });
  process.exitCode = verdict;
  assert.ok(text.includes({{spelled}}), text);
  // A stream that is closed fails nobody.
  assert.deepEqual(events, ["error"]);
});

test("valid documents are accepted", () => {
  const exits: Record<string, number> = {
    failure: {{failure_exit}},
    redirect: {{redirect_exit}},
  };
  for (const [name, document] of Object.entries(EXPECTED)) {
    assert.deepEqual(program.validate(document, exits[name] ?? 0), [], name);
  }
  for (const edit of ACCEPTED) {
    assert.deepEqual(broken(change(expected(edit.of), edit)), []);
  }
});

test("broken documents are refused", () => {
  for (const edit of BROKEN) {
    const found = broken(change(expected(edit.of), edit));
    assert.notEqual(found.length, 0, JSON.stringify(edit));
  }
});

test("an outcome must agree with the exit code", () => {
  for (const [name, exitCode] of [
    ["success", 1],
    ["failure", 0],
  ] as const) {
    const found = program.validate(EXPECTED[name], exitCode);
    assert.match(found.at(-1) ?? "", /^{{claim}}: /);
  }
  assert.notDeepEqual(program.validate([], 0), []);
});

test("check mode validates every envelope", async () => {
  const error = { ...failed().error, {{code}}: 7 };
  const odd = { ...failed(), error } as unknown as program.Result<never>;
  await assert.rejects(answer(odd), program.EnvelopeError);
  process.env["MANILA_CHECK"] = "0";
  assert.equal((await answer(odd)).ok, false);
  process.env["MANILA_CHECK"] = "1";
});

{{checker_test}}
{{#payload}}

test("a payload that would hide the envelope stands below data", async () => {
  const own = JSON.parse(String.raw`
{{own_names}}
`) as string[];
  for (const data of [[1], ...own.map((name) => ({ n: 1, [name]: 1 }))]) {
    const envelope = await answer(program.succeed(data));
    assert.deepEqual(envelope.toJSON()["data"], data);
  }
});
{{/payload}}
{{#samples}}

test("payloads match their schema", async () => {
  for (const [command, good, bad] of SAMPLES) {
    const respond = (data: program.Json) =>
      program.respond(() => program.succeed(data){{kind_argument}}, command);
    assert.deepEqual((await respond(good)).data, good);
    await assert.rejects(respond(bad), { message: /^data[:.[]/ }, command);
  }
});
{{/samples}}
