// The tools that `npm run setup:tools` fetches. Without one its tests skip, and one line says so.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cacheDir } from "../../scripts/paths.js";
import { findTool } from "../../scripts/tools/find-tool.ts";
import { tools } from "../../scripts/tools/list.ts";

/** Runs a tool and answers what it printed; throws with all it said when it finds fault. */
export type RunTool = (...args: string[]) => Promise<string>;

/** Null, and a line on standard output, where the tool is not in the cache. */
export async function toolOrNull(name: Exclude<keyof typeof tools, "schemas">): Promise<RunTool | null> {
  const found = await foundOrNull(name);
  if (found === null) return null;
  return async (...args) => {
    const { stdout } = await promisify(execFile)(found.path, args, { env: { ...process.env, ...found.env } }).catch(
      (error: unknown) => {
        throw new Error(`${name} ${args.join(" ")}\n${outputOf(error)}`, { cause: error });
      },
    );
    return stdout;
  };
}

/** The folder that holds the schemas of the Kubernetes kinds. */
export async function schemasOrNull(): Promise<string | null> {
  const found = await foundOrNull("schemas");
  return found && found.path.replace(/\/[^/]+\/[^/]+$/, "");
}

/** Where it is, with the environment that it needs. Null as above. */
export async function foundOrNull(name: keyof typeof tools) {
  const answer = await findTool(tools[name], { cacheDir, mayFetch: false, log: () => {} });
  if ("value" in answer) return answer.value;
  process.stdout.write(`skipped what needs ${name} (${answer.reason}): npm run setup:tools fetches it\n`);
  return null;
}

function outputOf(error: unknown): string {
  return ["stdout", "stderr"].map((stream) => String(Reflect.get(Object(error), stream) ?? "")).join("");
}
