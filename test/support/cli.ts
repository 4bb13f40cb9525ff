// The command line as a person or a script uses it: in this process where that is enough, as the real command where it
// is not.
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Confirm } from "../../apps/cli/cli.ts";
import { runCli } from "../../apps/cli/run-cli.ts";
import { until } from "./until.ts";

export type Ran = { exitCode: number; stdout: string; stderr: string };
/** `answer`: the one JSON document on standard output. */
export type RanJson = Ran & { answer: any };
export type Environment = Readonly<Record<string, string | undefined>>;

export type CommandLine = {
  run(...args: string[]): Promise<Ran>;
  /** With --json at the end. Throws when standard output is not exactly one JSON document. */
  json(...args: string[]): Promise<RanJson>;
};

/**
 * Standard error of a command that says nothing, or only that Redis, a process or the workers keep it waiting, as on a
 * busy machine.
 */
export const ONLY_DELAYS = /^(?:clanxp: .* (?:may be missing from|for \d+ s\.) .*\n)*$/;

/** Runs a command that changes nothing until it does not warn that awards are missing from what it shows. */
export async function untilComplete<R extends Ran>(run: () => Promise<R>): Promise<R> {
  let ran!: R;
  await until(async () => {
    ran = await run();
    return !ran.stderr.includes("may be missing from");
  });
  return ran;
}

/**
 * Commands on these servers, in this process. `terminal`: where a person looks on; `confirm`: what they say when they
 * are asked; `isTTY`: a person reads standard output, too.
 */
export function cliOn(
  env: Environment,
  terminal: NodeJS.WriteStream | null = null,
  confirm: Confirm | null = null,
  isTTY = false,
): CommandLine {
  return commandLine(async (args) => {
    const [stdout, stderr]: [string[], string[]] = [[], []];
    const exitCode = await runCli({
      args,
      env,
      stdout: { write: (text) => stdout.push(text), isTTY },
      stderr: { write: (text) => stderr.push(text) },
      terminal,
      confirm,
    });
    return { exitCode, stdout: stdout.join(""), stderr: stderr.join("") };
  });
}

/** Commands of tests that are not about servers which do not respond in time: each runs again then, as `patient` does. */
export function patientCliOn(env: Environment): CommandLine {
  return patient(cliOn(env));
}

/** The same command line, where a command runs again while a server does not respond in time (exit code 3). */
export function patient(cli: CommandLine): CommandLine {
  return commandLine(async (args) => {
    for (;;) {
      const ran = await cli.run(...args);
      if (ran.exitCode !== 3) return ran;
    }
  });
}

/** Commands of a person at a terminal who gives this answer to each question, and what they were asked. */
export function answeringCliOn(env: Environment, answer: boolean): CommandLine & { questions: string[] } {
  const questions: string[] = [];
  return { ...patient(cliOn(env, null, async (question) => (questions.push(question), answer))), questions };
}

/** `npx clanxp` as a process that a test ends. */
export function spawnCli(
  env: Environment,
  args: readonly string[],
  options: { stdio: StdioOptions; cwd?: string | undefined },
): ChildProcess {
  const script = fileURLToPath(new URL("../../scripts/clanxp.js", import.meta.url));
  return spawn(process.execPath, [script, ...args], {
    ...options,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...env },
  });
}

/** `npx clanxp` as a process. Resolves when the process has exited. */
export function realCliOn(env: Environment, cwd?: string): CommandLine {
  return commandLine((args) => {
    const child = spawnCli(env, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (exitCode) => resolve({ exitCode: exitCode ?? -1, stdout, stderr }));
    });
  });
}

function commandLine(run: (args: readonly string[]) => Promise<Ran>): CommandLine {
  return {
    run: (...args) => run(args),
    async json(...args) {
      const ran = await run([...args, "--json"]);
      if (!/^[^\n]+\n$/.test(ran.stdout)) throw new Error(`not one JSON document: ${ran.stdout}\n${ran.stderr}`);
      return { ...ran, answer: JSON.parse(ran.stdout) };
    },
  };
}
