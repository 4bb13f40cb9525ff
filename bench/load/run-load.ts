// The runner's side of a process that makes load: sends it a plan, and answers what it measured with what `atBegin` and
// `atEnd` saw.
import type { ChildProcess } from "node:child_process";
import { startNode } from "../processes.ts";
import { STOP, type LoadMessage, type LoadPlan, type LoadResult } from "./plan.ts";

/** Answers after the window: the last callers may wait for a lock or a slow batch. */
const LAST_ANSWER_MS = 60_000;

export type Generator = {
  run(plan: LoadPlan, at: { began(): void; ended(): void }): Promise<LoadResult>;
  close(): void;
};

/** Starts the HTTP load generator. `stop`: ends the window of what is run, which then resolves. */
export async function startGenerator(): Promise<Generator & { stop(): void }> {
  const { child } = startNode("bench/load/generator.ts", {});
  await untilReady(child);
  return { ...generatorOf(child), stop: () => void child.send(STOP) };
}

/** Resolves when the child says that it takes plans; rejects when it ends instead. */
export function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`${child.spawnargs.at(-1)} ended with ${code} before it was ready`)));
  });
}

/** A child that takes plans over IPC. */
export function generatorOf(child: ChildProcess): Generator {
  return {
    run: (plan, at) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => end(new Error("the last answers did not come")),
          plan.warmMs + plan.measureMs + LAST_ANSWER_MS,
        );
        const onExit = (code: number | null): void => end(new Error(`the load generator ended with ${code}`));
        const onMessage = (message: LoadMessage): void => {
          if (message.kind === "began") at.began();
          if (message.kind === "ended") at.ended();
          if (message.kind === "result") end(message.result);
        };
        function end(outcome: LoadResult | Error): void {
          clearTimeout(timer);
          child.off("exit", onExit).off("message", onMessage);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        }
        child.on("exit", onExit).on("message", onMessage);
        child.send(plan);
      }),
    close: () => void child.kill(),
  };
}
