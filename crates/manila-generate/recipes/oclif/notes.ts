#!/usr/bin/env node
// A small program with oclif that answers in envelopes.
//
// manila generate --lang typescript -o .

import { Args, Command, Errors, run } from "@oclif/core";
import { emit, fail, respond, succeed, type Result } from "./envelope.js";

const NOTES = new Map([
  ["1", "buy milk"],
  ["2", "call home"],
]);

class List extends Command {
  static override description = "List the notes.";

  async run(): Promise<Result<unknown>> {
    await this.parse(List);
    return succeed([...NOTES].map(([id, text]) => ({ id, text })));
  }
}

class Show extends Command {
  static override description = "Show one note.";
  static override args = { note: Args.string({ required: true }) };

  async run(): Promise<Result<unknown>> {
    const { note } = (await this.parse(Show)).args;
    const text = NOTES.get(note);
    const suggestion = "`notes list` has all of them";
    return text === undefined
      ? fail("NOT_FOUND", `there is no note ${note}`, { suggestion })
      : succeed({ id: note, text });
  }
}

/** What package.json names as the commands. */
export const COMMANDS = { list: List, show: Show };

async function call(): Promise<Result<unknown>> {
  let returned: unknown;
  try {
    returned = await run(process.argv.slice(2), import.meta.url);
  } catch (error) {
    const isText = error instanceof Errors.ExitError && error.oclif.exit === 0;
    if (!(error instanceof Errors.CLIError) || isText) throw error;
    return fail("ARG_ERROR", error.message, { phase: "validation" });
  }
  // Help and the version return nothing.
  if (returned === undefined) throw new Errors.ExitError(0);
  return returned as Result<unknown>;
}

async function main(): Promise<void> {
  try {
    emit(await respond(call));
  } catch (error) {
    // Help and the version are text.
    if (!(error instanceof Errors.ExitError)) throw error;
  }
}

// Not awaited: oclif imports this file for its commands.
void main();
