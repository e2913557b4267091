// A small program with commander that answers in envelopes.
//
// manila generate --lang typescript -o .

import { Command, CommanderError } from "commander";
import { emit, fail, respond, succeed, type Result } from "./envelope.js";

const NOTES = new Map([
  ["1", "buy milk"],
  ["2", "call home"],
]);

let result: Result<unknown> | undefined;

const program = new Command("notes")
  .description("Keeps notes.")
  .version("1.0")
  .exitOverride()
  .configureOutput({ writeErr: () => undefined });

program
  .command("list")
  .description("List the notes.")
  .action(() => {
    result = succeed([...NOTES].map(([id, text]) => ({ id, text })));
  });

program
  .command("show")
  .description("Show one note.")
  .argument("<note>")
  .action((note: string) => {
    const text = NOTES.get(note);
    const suggestion = "`notes list` has all of them";
    result =
      text === undefined
        ? fail("NOT_FOUND", `there is no note ${note}`, { suggestion })
        : succeed({ id: note, text });
  });

async function main(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and the version are text.
    if (error.exitCode === 0) return;
    result = fail("ARG_ERROR", error.message, { phase: "validation" });
  }
  const answer = result;
  if (answer !== undefined) emit(await respond(() => answer));
}

void main();
