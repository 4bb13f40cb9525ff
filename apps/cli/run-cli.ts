// Runs one command line and returns its exit code. Nothing outlives the call: connections are closed in any case.
//
// Standard output contains the result alone, with --json exactly one JSON document, also for errors; without it, errors
// go to standard error.
import { CommanderError } from "commander";
import { AppError } from "#kernel/app-error.ts";
import { systemClock } from "#process/clock.ts";
import { withoutCredentials } from "#process/credentials.ts";
import type { CommandResult, Confirm, OnInterrupt, Output } from "./cli.ts";
import { makeReadSettings, type Environment } from "./open/environment.ts";
import { commandIn, makeProgram } from "./program.ts";
import { forTerminal, inFull, textIn, type Text } from "./show/format.ts";
import type { Terminal } from "./show/progress.ts";
import { CliError } from "./cli-error.ts";
import { makeServers, phrase, rootMessage } from "./open/servers.ts";

export type CommandLine = {
  args: readonly string[];
  env: Environment;
  stdout: Output;
  stderr: Output;
  terminal: Terminal | null;
  confirm?: Confirm | null;
  onInterrupt?: OnInterrupt;
};

/** Returns the exit code. Never throws. */
export async function runCli(line: CommandLine): Promise<number> {
  const { args, env, stdout, stderr, confirm = null, onInterrupt = () => () => {} } = line;
  const literal = args.indexOf("--");
  const isJson = args.slice(0, literal === -1 ? args.length : literal).includes("--json");
  const terminal = isJson ? null : line.terminal;
  const terminalBesideRows = stdout.isTTY ? null : terminal;
  const format = stdout.isTTY ? forTerminal : inFull;
  const settings = makeReadSettings(env);
  const servers = makeServers(settings);
  let exitCode = 0;

  function print(result: CommandResult): void {
    stdout.write(`${isJson ? JSON.stringify(result.json) : textIn(format, result.text)}\n`);
    exitCode = result.exitCode ?? 0;
  }

  function show(text: Text): void {
    if (!isJson) stdout.write(`${textIn(format, text)}\n\n`);
  }

  const warnings = new Set<string>();
  function warn(text: string): void {
    if (!warnings.has(text)) stderr.write(`clanxp: ${text}\n`);
    warnings.add(text);
  }

  async function write(text: string): Promise<void> {
    if (text === "" || stdout.write(text) !== false) return;
    await new Promise<void>((resolve) => (stdout.once ? stdout.once("drain", resolve) : resolve()));
  }

  let makesChanges = false;
  const by = () => {
    makesChanges = true;
    return settings("servers", "actor").actor;
  };
  const given = { isJson, format, terminal, terminalBesideRows, confirm, onInterrupt, warn, show, write, print };
  const program = makeProgram({ servers, settings, clock: systemClock, by, ...given }, { stdout, stderr });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0; // help, or the version
    const { path, commands } = commandIn(program, args);
    const cliError = cliErrorOf(error, commands);
    if (isJson) {
      const { code, message, faults } = cliError;
      stdout.write(`${JSON.stringify({ error: { code, message, ...(faults.length > 0 ? { faults } : {}) } })}\n`);
    }
    // Commander has printed the whole help because the command was missing.
    if (!(error instanceof CommanderError && error.code === "commander.help")) stderr.write(textOf(cliError, path));
    return cliError.exitCode;
  } finally {
    if (makesChanges) await servers.announceChanges();
    await servers.close();
  }
}

function cliErrorOf(error: unknown, commands: readonly string[]): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) {
    if (error.code === "commander.help") return new CliError("usage", "A command is missing.");
    const text = sentence(error.message);
    const isUnhelpful = error.code === "commander.unknownCommand" && !text.includes("Did you mean");
    return new CliError("usage", isUnhelpful ? `${text}. Commands are ${commands.join(", ")}.` : text);
  }
  if (error instanceof AppError && error.code === "unavailable") {
    return new CliError("unreachable", `MongoDB could not complete the operation: ${phrase(rootMessage(error))}.`, {
      cause: error,
    });
  }
  if (error instanceof AppError && error.code === "outcome_unknown") {
    const message = `It is not known whether the change was made: ${phrase(rootMessage(error))}. Check before you retry.`;
    return new CliError("unreachable", message, { cause: error });
  }
  // The clan was deleted while the command ran.
  if (error instanceof AppError && error.code === "not_found") return new CliError("clan_not_found", error.message);
  // Its detail says what has to end first.
  if (error instanceof AppError && error.code === "busy") return new CliError("busy", error.message, { cause: error });
  return new CliError(
    "internal",
    `Unexpected error: ${withoutCredentials(error instanceof Error ? (error.stack ?? error.message) : String(error))}`,
  );
}

/** Converts Commander's messages, such as "error: unknown command 'crate'\n(Did you mean create?)". */
function sentence(message: string): string {
  const text = message.replace(/^error: /, "").replace(/\n\((.*)\)$/, ". $1");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf({ code, message, faults }: CliError, path: string): string {
  const lines = [`clanxp: ${message}`];
  if (faults.length > 1) lines.push(...faults.map((fault) => `  ${fault}`));
  if (code === "usage") lines.push(`See ${path} --help.`);
  return `${lines.join("\n")}\n`;
}
