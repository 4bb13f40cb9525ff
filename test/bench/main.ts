// `npm run bench`: measures this service beside what one would write instead, and says by how much.
import { exitOnSignal } from "../../scripts/system/exit-on-signal.js";
import { readOptions, USAGE, UsageError, type Options } from "./options.ts";
import { openProgress } from "./progress.ts";
import { VoidRun } from "./reading.ts";
import { tableOf } from "./report/table.ts";
import { runBench } from "./run-bench.ts";

const out = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function bench(options: Options): Promise<number> {
  const progress = openProgress(process.stderr);
  try {
    const result = await runBench(options, { log: progress.say, progress: progress.show });
    progress.close();
    out(options.print === "json" ? JSON.stringify(result, null, 2) : tableOf(result));
    return 0;
  } catch (error) {
    progress.close();
    say(
      error instanceof VoidRun
        ? `The run is void: ${error.message}`
        : `The bench failed: ${error instanceof Error ? error.stack : String(error)}`,
    );
    return 1;
  }
}

function optionsOrExit(): Options {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options) return options;
    process.stdout.write(USAGE);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

exitOnSignal();
// Each port and each process that a bench holds is given back at its exit.
process.setMaxListeners(100);
process.exitCode = await bench(optionsOrExit());
