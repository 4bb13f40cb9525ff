// `npm run bench`: measures this service beside what one would write instead, and says by how much.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitOnSignal } from "../scripts/system/exit-on-signal.js";
import { messageOf } from "../scripts/system/message-of.js";
import { evaluateAgain } from "./evaluate-again.ts";
import { resolveCommit } from "./against/checkout.ts";
import { readOptions, USAGE, UsageError, type AgainstOptions, type Options } from "./options.ts";
import { openProgress, type ProgressLine } from "./progress.ts";
import { VoidRun } from "./void-run.ts";
import { capacityOf } from "./report/capacity.ts";
import { htmlOf } from "./report/html.ts";
import { markdownOf, withResult } from "./report/markdown.ts";
import { performanceOf } from "./report/performance.ts";
import { tableOf } from "./report/table.ts";
import type { Result } from "./run-bench.ts";
import { record } from "./trend.ts";

const DOCS = new URL("../docs/", import.meta.url);
const pages: Readonly<Record<string, (result: Result) => string>> = {
  "contributing/benchmarks.md": markdownOf,
  "explanation/performance.md": performanceOf,
  "how-to/scale.md": capacityOf,
};
const log = (text: string): void => void process.stderr.write(`${text}\n`);
const prints = {
  table: tableOf,
  json: (result: Result) => JSON.stringify(result, null, 2),
  markdown: markdownOf,
} as const;

async function bench(options: Options | AgainstOptions): Promise<number> {
  const progress = openProgress(process.stderr);
  try {
    if ("against" in options) return await compare(options, progress);
    // With it the service and its references, which a wrong command line has no need of.
    const { runBench } = await import("./run-bench.ts");
    const result = options.from
      ? evaluateAgain(JSON.parse(readFileSync(options.from, "utf8")))
      : await runBench(options, { log: progress.log, progress: progress.show });
    progress.close();
    process.stdout.write(`${prints[options.print](result)}\n`);
    mkdirSync(options.out, { recursive: true });
    const page = join(options.out, "report.html");
    writeFileSync(page, htmlOf(result));
    writeFileSync(join(options.out, "result.json"), prints.json(result));
    log(`With plots: ${page}`);
    if (options.publish) publish(result);
    if (options.record) record(result);
    return 0;
  } catch (error) {
    progress.close();
    if (error instanceof UsageError) return wrongly(error);
    log(error instanceof VoidRun ? `The run is void: ${error.message}` : `The bench failed: ${messageOf(error)}`);
    return 1;
  }
}

async function compare(options: AgainstOptions, progress: ProgressLine): Promise<number> {
  const commit = await resolveCommit(options.against);
  if (commit === null) throw new UsageError(`--against: this repository has no commit ${options.against}`);
  const [{ below, runAgainst }, { againstTableOf }] = await Promise.all([
    import("./against/run-against.ts"),
    import("./report/against.ts"),
  ]);
  const result = await runAgainst(commit, options, { log: progress.log, progress: progress.show });
  progress.close();
  process.stdout.write(`${options.json ? JSON.stringify(result, null, 2) : againstTableOf(result)}\n`);
  const slow = options.atLeast === null ? [] : below(result.lines, options.atLeast);
  for (const { scene, speed } of slow) log(`${scene}: ${speed.median.toFixed(3)} is less than ${options.atLeast}`);
  return slow.length === 0 ? 0 : 1;
}

function publish(result: Result): void {
  for (const [page, render] of Object.entries(pages)) {
    const file = new URL(page, DOCS);
    writeFileSync(file, withResult(readFileSync(file, "utf8"), render(result)));
  }
}

function wrongly({ message }: UsageError): number {
  process.stderr.write(`${message}\n${USAGE}`);
  return 2;
}

function optionsOrExit(): Options | AgainstOptions {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options) return options;
    process.stdout.write(USAGE);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.exit(wrongly(error));
  }
}

exitOnSignal();
const exitCode = await bench(optionsOrExit());
// What a run that failed has left running ends with this process.
if (exitCode !== 0) process.exit(exitCode);
