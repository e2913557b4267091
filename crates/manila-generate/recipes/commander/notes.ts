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
  .helpCommand(false)
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

// A reader that hangs up, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

/** What is wrong with the arguments. Of several unknown options commander names the first. */
function message(error: CommanderError): string {
  if (error.code !== "commander.unknownOption") return error.message;
  const options = [program, ...program.commands].flatMap((it) => it.options);
  const known = options.flatMap(({ short, long }) => [short, long]);
  const unknown = process.argv
    .slice(2)
    .filter((word) => word.startsWith("-") && !known.includes(word));
  return `unknown options: ${unknown.join(", ")}`;
}

async function run(): Promise<Result<unknown>> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode === 0) throw error;
    return fail("ARG_ERROR", message(error), { phase: "validation" });
  }
  return result ?? fail("ARG_ERROR", "no command was called");
}

async function main(): Promise<void> {
  try {
    emit(await respond(run));
  } catch (error) {
    // Help and the version are text.
    if (!(error instanceof CommanderError)) throw error;
  }
}

void main();
