// Asks a person on a terminal. Anything except y or yes means no.
import { createInterface } from "node:readline/promises";
import type { Confirm } from "./cli.ts";
import type { Terminal } from "./progress.ts";

export function confirmOn(input: NodeJS.ReadStream, terminal: Terminal): Confirm {
  return async function confirm(question) {
    const dialog = createInterface({ input, output: terminal });
    // The end of the input means no, too.
    const ended = new Promise<string>((resolve) => dialog.once("close", () => resolve("")));
    const answer = await Promise.race([dialog.question(`${question} [y/N] `), ended]);
    dialog.close();
    return /^y(es)?$/i.test(answer.trim());
  };
}
