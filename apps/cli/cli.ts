// What a command is given: its servers, the clock, and one place for its answer.
import type { Clock } from "#usecases/ports.ts";
import type { Servers } from "./servers.ts";

/** `json` is the whole answer for scripts, `text` the same for people. `exitCode` 1: the answer is "no". */
export type Answer = { json: object; text: string; exitCode?: number };

export type Output = { write(text: string): unknown; isTTY?: boolean | undefined };

export type Cli = {
  servers: Servers;
  clock: Clock;
  /** For what goes on beside the answer, as a progress bar. */
  stderr: Output;
  /** Called once by every command that succeeds. */
  answer(answer: Answer): void;
};
