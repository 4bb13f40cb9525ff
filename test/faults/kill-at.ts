// A command that is killed at one of its steps.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Starts the command, and kills it once this is reached. Resolves with what that gives, when the command has ended. */
export async function killAt<T>(reached: Promise<T>, start: () => ChildProcess): Promise<T> {
  let isReached: boolean;
  do {
    const command = start();
    const exited = once(command, "exit");
    // On a machine that is busy otherwise the command may give up before it comes to this step: then it is run again.
    isReached = await Promise.race([reached.then(() => true), exited.then(() => false)]);
    command.kill("SIGKILL");
    await exited;
  } while (!isReached);
  return reached;
}
