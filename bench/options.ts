// The options of the command line. An invalid one is an error.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cacheDir } from "../scripts/paths.js";
import { QUICK, TARGET_IDS } from "./targets.ts";

/** Of `--against`: a load each. */
const SCENES = ["distinct", "hot", "lone", "open", "calls", "batches"] as const;
export type SceneName = (typeof SCENES)[number];

export const USAGE = `Usage: npm run bench -- [options]
  --quick           targets ${QUICK.join(", ")} in about 90 s
  --only 1,2,9      these targets only: ${TARGET_IDS.join(", ")}
  --rounds N        rounds that count, after one that warms up (5)
  --seconds N       of each measurement (5; quick: 1.5)
  --size N          the share of the entries before 10 and 24, and of the visits of 26 (1); less is for a trial
  --json            the result as JSON on standard output instead of the table
  --markdown        the result as Markdown on standard output, as docs/contributing/benchmarks.md has it
  --publish         put the result into benchmarks.md, performance.md and scale.md below docs
  --from FILE       a result.json of an earlier run, held against the targets as they are now; measures nothing
  --record          add the ratios to bench/trend.json, which npm test holds later ones against
  --against COMMIT  this product beside that of a commit, in the same rounds: awards/s and CPU per award.
                    --only then names loads: ${SCENES.join(", ")}
  --at-least RATIO  with --against: ends with 1 if the median of a load is slower than that
  --out DIR         where the HTML report and result.json go (.cache/bench)
  --help
Ends with 0 when it measured, 1 when the run is void or failed, or below --at-least, 2 when it was called wrongly.
`;

export type Options = {
  quick: boolean;
  ids: ReadonlySet<string>;
  rounds: number;
  seconds: number;
  size: number;
  print: "table" | "json" | "markdown";
  publish: boolean;
  record: boolean;
  out: string;
  from: string | null;
};

export type AgainstOptions = {
  against: string;
  scenes: readonly SceneName[];
  rounds: number;
  seconds: number;
  json: boolean;
  atLeast: number | null;
};

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Null: help was asked for. Throws UsageError. */
export function readOptions(args: readonly string[]): Options | AgainstOptions | null {
  const { values } = parsed(args);
  if (values.help) return null;
  if (values.against !== undefined) return againstOptions(values, values.against);
  if (values["at-least"] !== undefined) throw new UsageError("--at-least needs --against");
  if (values.json && values.markdown) throw new UsageError("--json and --markdown cannot both go to standard output");
  if (values.quick && values.only !== undefined)
    throw new UsageError("--quick chooses the targets itself: leave --only away");
  if (
    values.from !== undefined &&
    (values.quick ?? values.only ?? values.rounds ?? values.seconds ?? values.size) !== undefined
  )
    throw new UsageError("--from measures nothing: leave --quick, --only, --rounds, --seconds and --size away");
  const ids = chosen(values.only, TARGET_IDS, "target") ?? (values.quick ? QUICK : TARGET_IDS);
  return {
    quick: values.quick ?? false,
    ids: new Set(ids),
    rounds: positive("--rounds", values.rounds ?? "5", Number.isInteger),
    seconds: positive("--seconds", values.seconds ?? (values.quick ? "1.5" : "5"), Number.isFinite),
    size: sizeOf(values),
    print: values.json ? "json" : values.markdown ? "markdown" : "table",
    publish: values.publish ?? false,
    record: values.record ?? false,
    out: values.out ?? join(cacheDir, "bench"),
    from: values.from ?? null,
  };
}

function sizeOf({ size = "1", publish, record }: ReturnType<typeof parsed>["values"]): number {
  if (size !== "1" && (publish ?? record))
    throw new UsageError("--size measures a trial: leave --publish and --record away");
  const share = Number(size);
  if (!(share > 0 && share <= 1)) throw new UsageError(`--size ${size} is no number above 0 and up to 1`);
  return share;
}

function againstOptions(values: ReturnType<typeof parsed>["values"], against: string): AgainstOptions {
  const others = ["quick", "markdown", "publish", "record", "from", "out", "size"] as const;
  const given = others.filter((name) => values[name] !== undefined);
  if (given.length > 0) throw new UsageError(`--against prints only: leave --${given.join(" and --")} away`);
  const atLeast = values["at-least"];
  return {
    against,
    scenes: chosen(values.only, SCENES, "load") ?? SCENES,
    rounds: positive("--rounds", values.rounds ?? "5", Number.isInteger),
    seconds: positive("--seconds", values.seconds ?? "5", Number.isFinite),
    json: values.json ?? false,
    atLeast: atLeast === undefined ? null : positive("--at-least", atLeast, Number.isFinite),
  };
}

/** What `--only` names; null: it is not given. */
function chosen<T extends string>(only: string | undefined, known: readonly T[], what: string): T[] | null {
  if (only === undefined) return null;
  const names = only.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !known.some((one) => one === name));
  if (unknown.length > 0)
    throw new UsageError(`--only: there is no ${what} ${unknown.join(", ")}; there are ${known.join(", ")}`);
  return known.filter((one) => names.includes(one));
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: "boolean" },
        only: { type: "string" },
        rounds: { type: "string" },
        seconds: { type: "string" },
        size: { type: "string" },
        json: { type: "boolean" },
        markdown: { type: "boolean" },
        publish: { type: "boolean" },
        record: { type: "boolean" },
        against: { type: "string" },
        "at-least": { type: "string" },
        out: { type: "string" },
        from: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function positive(name: string, text: string, isAllowed: (value: number) => boolean): number {
  const value = Number(text);
  if (!(value > 0) || !isAllowed(value))
    throw new UsageError(`${name} ${text} is no ${isAllowed(1.5) ? "" : "whole "}number above 0`);
  return value;
}
