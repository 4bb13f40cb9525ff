// The Docker engine for the containers suite: a running one, otherwise one that the command in DOCKER_ENGINE_TOOL
// starts, otherwise none, with the reason.

import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const ANSWER_TIMEOUT_MS = 10_000;
/** A first start may have to build the tool's images. */
const START_TIMEOUT_MS = 12 * 60_000;

/** `env`: the environment that a client needs to find it. */
export type Engine = { env: Record<string, string> } | { reason: string };

export async function findEngine(log: (line: string) => void): Promise<Engine> {
  const engine = await queryEngine({});
  const tool = process.env["DOCKER_ENGINE_TOOL"];
  if ("env" in engine || !tool) return engine;
  const starting = startBy(tool);
  return withProgress(log, "starting a Docker engine with DOCKER_ENGINE_TOOL", starting);
}

/**
 * Its `up` prints the environment as shell commands. An engine that started without all features exits with a code for
 * that, and is used.
 */
async function startBy(tool: string): Promise<Engine> {
  const select =
    "JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(DOCKER|COMPOSE|PATH$)/.test(name))))";
  const print = `eval "$("$0" up)" && printf '\\n\\036' && exec "$1" -p '${select}'`;
  const ended = await run("bash", ["-c", print, tool, process.execPath], { timeoutMs: START_TIMEOUT_MS });
  if (!ended.ok) return { reason: ended.reason };
  const env = JSON.parse(ended.output.split("\u001e").at(-1) ?? "{}");
  return queryEngine(env);
}

async function queryEngine(env: Record<string, string>): Promise<Engine> {
  const answer = await run("docker", ["version", "--format", "{{.Server.Version}}"], {
    timeoutMs: ANSWER_TIMEOUT_MS,
    env,
  });
  return answer.ok ? { env } : { reason: answer.reason };
}
