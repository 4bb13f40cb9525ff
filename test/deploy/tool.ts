// The tools that `npm run setup:tools` fetches. Without one its tests skip, and one line says so.
import { cacheDir } from "../../scripts/paths.js";
import { run } from "../../scripts/system/run.js";
import { findTool } from "../../scripts/tools/find-tool.js";
import { tools } from "../../scripts/tools/list.js";

/** Runs a tool; throws with all it said when it finds fault. */
export type RunTool = (...args: string[]) => Promise<string>;

/** Null, and a line on standard output, where the tool is not in the cache. */
export async function toolOrNull(name: "promtool" | "helm" | "kubeconform"): Promise<RunTool | null> {
  const path = await pathOrNull(name);
  if (path === null) return null;
  return async (...args) => {
    const ended = await run(path.path, args, { env: path.env });
    if (!ended.ok) throw new Error(`${name} ${args.join(" ")}\n${ended.output}`);
    return ended.output;
  };
}

async function pathOrNull(name: keyof typeof tools) {
  const answer = await findTool(tools[name], { cacheDir, mayFetch: false, log: () => {} });
  if ("value" in answer) return answer.value;
  process.stdout.write(`skipped what needs ${name} (${answer.reason}): npm run setup:tools fetches it\n`);
  return null;
}
