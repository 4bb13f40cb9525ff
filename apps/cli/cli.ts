// What a command is given: its servers, the clock, and one place for its answer.
import type { Actor } from "#domain/audit.ts";
import type { Clock } from "#usecases/ports.ts";
import type { Terminal } from "./progress.ts";
import type { Servers } from "./servers.ts";

/** `json` is the whole answer for scripts, `text` the same for people. `exitCode` 1: the answer is "no". */
export type CommandResult = { json: object; text: string; exitCode?: number };

/** A stream that is full returns false, and says when it drains. */
export type Output = { write(text: string): unknown; once?(event: "drain", drained: () => void): unknown };

export type Confirm = (question: string) => Promise<boolean>;

export type Cli = {
  servers: Servers;
  clock: Clock;
  /** Who runs the command. Throws Refusal `usage` where that cannot be a name. */
  by(): Actor;
  /** Where a person looks on while the command runs. */
  terminal: Terminal | null;
  /** Asks a person to agree; null where there is nobody to ask. */
  confirm: Confirm | null;
  /** Tells people what to know about the answer, on standard error, once however often it is said. */
  warn(text: string): void;
  /** Shows people what comes before the answer, on standard output; nothing with --json. */
  show(text: string): void;
  /** Prints a part of an answer that is too long for one piece; resolves when there is room for more. */
  print(text: string): Promise<void>;
  /** Called once by every other command that succeeds. */
  answer(answer: CommandResult): void;
};
