// `clanxp`: the process around one command. It reads the environment, asks on the terminal, and sets the exit code;
// everything else is run-cli.
import { createInterface } from "node:readline/promises";
import { runCli } from "./run-cli.ts";
import type { Confirm } from "./cli.ts";
import type { Terminal } from "./show/progress.ts";

/** A connection that does not close must not keep the process alive; the result is written by then. */
const LINGER_MS = 1_000;

// The reader may stop reading, as in `clanxp clan list | head -1`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

const { argv, env, stdin, stdout, stderr } = process;
const terminal = stderr.isTTY ? stderr : null;
const confirm = terminal && stdin.isTTY ? confirmOn(stdin, terminal) : null;
process.exitCode = await runCli({ args: argv.slice(2), env, stdout, stderr, terminal, confirm, onInterrupt });
setTimeout(() => process.exit(), LINGER_MS).unref();

/** The shell must see the signal that ended the command. */
function onInterrupt(text: string): () => void {
  function interrupt(signal: NodeJS.Signals): void {
    stderr.write(`\nclanxp: ${text}\n`);
    process.kill(process.pid, signal);
  }
  process.once("SIGINT", interrupt);
  return () => void process.off("SIGINT", interrupt);
}

/** Anything except the word, or y or yes, means no. */
function confirmOn(input: NodeJS.ReadStream, output: Terminal): Confirm {
  return async (question, word) => {
    const dialog = createInterface({ input, output });
    // The end of the input means no, too.
    const ended = new Promise<string>((resolve) => dialog.once("close", () => resolve("")));
    const answer = await Promise.race([dialog.question(`${question} ${word === undefined ? "[y/N] " : ""}`), ended]);
    dialog.close();
    return word === undefined ? /^y(es)?$/i.test(answer.trim()) : answer.trim() === word;
  };
}
