// The result for a terminal: targets, then what each measurement was made of.
import { median, valueOf } from "../ratio.ts";
import type { Reading } from "../void-run.ts";
import type { Line, Result } from "../run-bench.ts";
import type { Part } from "../subjects/subject.ts";

const VERDICTS = { aim: "reached its aim", must: "met", missed: "MISSED", reported: "" } as const;
const PARTS: readonly Part[] = ["api", "worker", "mongod", "redis", "postgres"];

export function tableOf(result: Result): string {
  const { targetRows, subjectRows } = rowsOf(result);
  const skipped = result.skipped.map(({ id, title }) => `${id}  ${title}: not measured here`);
  return [...machineLines(result), "", aligned(targetRows), ...skipped, "", aligned(subjectRows)].join("\n");
}

/** What the numbers were measured on, and how. */
export function machineLines({ machine, rounds, seconds }: Pick<Result, "machine" | "rounds" | "seconds">): string[] {
  const versions = Object.entries(machine.versions).flatMap(([name, version]) =>
    version === null ? [] : [`${name} ${version}`],
  );
  return [
    `${machine.cpus} × ${machine.model}, ${machine.memoryGib} GiB, ${machine.kernel}`,
    `${versions.join(", ")}; commit ${machine.commit}, ${machine.at.slice(0, 10)}`,
    `medians of ${rounds} rounds of ${seconds} s each; load of the machine before: ${machine.loadBefore.toFixed(2)}`,
  ];
}

/** Both tables as cells, headings first. */
export function rowsOf({ lines, readings }: Result): { targetRows: string[][]; subjectRows: string[][] } {
  const targetRows = [["#", "target", "ratio", "range", "must", "aim", "verdict"], ...lines.map(targetRow)];
  const subjectRows = [
    ["measurement", "awards/s", "p50 ms", "p99 ms", ...PARTS.map((part) => `${part} µs`), "generator"],
    ...Object.entries(readings).map(([name, ofRounds]) => subjectRow(name, ofRounds)),
  ];
  return { targetRows, subjectRows };
}

function targetRow({ id, title, ratio, is, must, aim, verdict }: Line): string[] {
  const bound = (value: number | null): string => (value === null ? "" : `${is === "least" ? "≥" : "≤"} ${value}`);
  const range = `${digits(ratio.lowest)} to ${digits(ratio.highest)}`;
  return [id, title, digits(ratio.median), range, bound(must), bound(aim), VERDICTS[verdict]];
}

function subjectRow(name: string, readings: readonly Reading[]): string[] {
  const of = (value: (reading: Reading) => number): number => median(readings.map(value));
  const cpu = PARTS.map((part) => {
    const us = of((reading) => reading.cpuUsPerAward[part] ?? Number.NaN);
    return Number.isNaN(us) ? "" : digits(us);
  });
  return [
    name,
    digits(of(({ load }) => load.awardsPerS)),
    digits(of((reading) => valueOf(reading, { percentile: 50 }))),
    digits(of((reading) => valueOf(reading, { percentile: 99 }))),
    ...cpu,
    readings[0]?.load.cpuShare === null ? "" : `${Math.round(of(({ load }) => load.cpuShare ?? 0) * 100)} %`,
  ];
}

/** Three digits that mean something. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return "-";
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

export function aligned(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
