// This product and that of another commit in the same rounds, A B A B, on the same servers and by the same load.
import { describeMachine, type Machine } from "../machine.ts";
import { measureOnce } from "../measure-once.ts";
import { measures, type Measure } from "../measures.ts";
import { median, ratioOf, valueOf, type Ratio } from "../ratio.ts";
import { startGenerator } from "../load/run-load.ts";
import { startServers } from "../servers.ts";
import type { Part, Subject } from "../subjects/subject.ts";
import { VoidRun, type Reading } from "../void-run.ts";
import { root } from "../../scripts/paths.js";
import type { AgainstOptions, SceneName } from "../options.ts";
import type { Progress } from "../schedule.ts";
import { checkOut } from "./checkout.ts";
import { startProduct } from "./product.ts";

const scenes = {
  distinct: measures.ours,
  hot: measures["ours-hot"],
  lone: measures["ours-lone"],
  open: measures["ours-open"],
  calls: measures["ours-call"],
  batches: measures["ours-batch"],
} as const satisfies Record<SceneName, Measure>;
/** Of what the slower product reached with as many callers as it takes, in the same round. */
const OPEN_SHARE = 0.7;
const WARM_SHARE = 0.2;
export const PARTS = ["api", "worker", "mongod"] as const satisfies Part[];

type Pair<T> = { there: T; here: T };
/**
 * What is here to what is there. `speed`: of awards per second; where the load decides those, of the CPU of an award,
 * the other way round, so that less than 1 is slower everywhere. `cpu`: of an award in each process, where more than 1
 * is slower.
 */
type AgainstLine = {
  scene: SceneName;
  speed: Ratio;
  awardsPerS: Pair<number>;
  cpuUs: Record<(typeof PARTS)[number], Pair<number> & { ratio: Ratio }>;
};
export type AgainstResult = {
  machine: Machine;
  commit: string;
  rounds: number;
  seconds: number;
  lines: AgainstLine[];
};
export async function runAgainst(
  commit: string,
  { scenes: names, rounds, seconds }: Pick<AgainstOptions, "scenes" | "rounds" | "seconds">,
  { log, progress }: { log: (line: string) => void; progress: Progress },
): Promise<AgainstResult> {
  process.setMaxListeners(100);
  const folder = await checkOut(commit, log);
  const servers = await startServers({ log, wantsPostgres: false });
  const generator = await startGenerator();
  const up: Partial<Pair<Subject>> = {};
  try {
    const machine = describeMachine(servers.versions);
    progress(`starting ${commit.slice(0, 12)}`, 0);
    const there = (up.there = await startProduct(servers, { name: "there", folder }));
    progress("starting this product", 0);
    const here = (up.here = await startProduct(servers, { name: "here", folder: root }));
    const duration = { warmMs: seconds * 1_000 * WARM_SHARE, measureMs: seconds * 1_000, isSettled: true };
    const products = Object.entries({ there, here }) as [keyof Pair<unknown>, Subject][];
    const readings = new Map(names.map((name): [SceneName, Pair<Reading[]>] => [name, { there: [], here: [] }]));
    // The first round warms everything up and does not count.
    for (let round = 0; round <= rounds; round += 1) {
      let slower = Number.POSITIVE_INFINITY;
      for (const [index, name] of names.entries()) {
        const share = (round * names.length + index) / ((rounds + 1) * names.length);
        progress(`${round === 0 ? "warm-up" : `round ${round} of ${rounds}`}: ${name}`, share);
        const perSecond = name === "open" ? OPEN_SHARE * slower : null;
        for (const [which, subject] of products) {
          // The other one runs on and takes little. Stopped, it would miss its heartbeats and leases, and would then be
          // measured while it recovers: batches of f9d4c0b2 reached 1,600 instead of 9,800 awards/s.
          const measure = { ...scenes[name], perSecond };
          const reading = await measureOnce(subject, measure, { generator, duration, isWarmUp: round === 0 }).catch(
            (error: unknown) => {
              throw error instanceof VoidRun ? new VoidRun(`${name}, ${which}: ${error.message}`, error) : error;
            },
          );
          if (name === "distinct") slower = Math.min(slower, reading.load.awardsPerS);
          if (round > 0) readings.get(name)?.[which].push(reading);
        }
      }
    }
    return { machine, commit, rounds, seconds, lines: [...readings].map(([name, pair]) => lineOf(name, pair)) };
  } finally {
    generator.close();
    await Promise.all([up.there?.close(), up.here?.close()]);
    await servers.stop();
  }
}

export function lineOf(scene: SceneName, { there, here }: Pair<Reading[]>): AgainstLine {
  const mediansOf = (value: (reading: Reading) => number): Pair<number> => ({
    there: median(there.map(value)),
    here: median(here.map(value)),
  });
  const cpuUs = PARTS.map((part) => {
    const value = { cpuOf: part };
    return [part, { ...mediansOf((reading) => valueOf(reading, value)), ratio: ratioOf(here, there, value) }];
  });
  return {
    scene,
    speed: scene === "open" ? ratioOf(there, here, "cpu") : ratioOf(here, there, "awardsPerS"),
    awardsPerS: mediansOf(({ load }) => load.awardsPerS),
    cpuUs: Object.fromEntries(cpuUs),
  };
}

/** The scenes whose median is below the bound. */
export function below(lines: readonly AgainstLine[], bound: number): AgainstLine[] {
  return lines.filter(({ speed }) => !(speed.median >= bound));
}
