// What a command receives: its servers, the clock, and one way to print its result.
import type { Actor } from "#domain/audit.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Format, Text } from "./show/format.ts";
import type { Terminal } from "./show/progress.ts";
import type { ReadSettings } from "./open/environment.ts";
import type { Servers } from "./open/servers.ts";

/** `json` is the whole result for scripts, `text` the same for people. `exitCode` 1: a negative result. */
export type CommandResult = { json: object; text: Text; exitCode?: number };

/** Returns false if the stream is full, which then emits `drain`. */
export type Output = {
  write(text: string): unknown;
  once?(event: "drain", drained: () => void): unknown;
  isTTY?: boolean;
};

/**
 * Prints a message when a person interrupts the command with Ctrl-C, which still ends the command. Returns a function
 * that cancels this.
 */
export type OnInterrupt = (text: string) => () => void;

/** `word`: what the person must type to confirm; without one, y or yes. */
export type Confirm = (question: string, word?: string) => Promise<boolean>;

export type Cli = {
  servers: Servers;
  /**
   * A command names all that it reads in one call, before it opens anything, so that all faults are reported together
   * and none is found after a change.
   */
  settings: ReadSettings;
  clock: Clock;
  /** The result is for scripts (--json). */
  isJson: boolean;
  /** Of the texts on standard output. */
  format: Format;
  /** Who runs a command that reads no settings beside this and its servers. */
  by(): Actor;
  /** Shows the progress to a person while the command runs; null with --json. */
  terminal: Terminal | null;
  /** The same for a command that prints rows: null if they go to a terminal, too. */
  terminalBesideRows: Terminal | null;
  /** Prompts a person to confirm; null without a terminal. */
  confirm: Confirm | null;
  onInterrupt: OnInterrupt;
  /** Warns people about the result on standard error, once, however often it is called. */
  warn(text: string): void;
  /** Prints text for people before the result, on standard output; nothing with --json. */
  show(text: Text): void;
  /** Writes a part of a long result; resolves when there is room for more. */
  write(text: string): Promise<void>;
  /** Every other successful command calls this once. */
  print(result: CommandResult): void;
};
