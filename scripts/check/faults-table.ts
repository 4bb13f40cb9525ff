// Creates the table of a run of faults, from the rounds that the tests recorded, one JSON line each.

export type Round = {
  fault: string;
  acknowledged: number;
  unknown: number;
  lost: number;
  doubled: number;
  other: number;
};

const COLUMNS = ["acknowledged", "unknown", "lost", "doubled", "other"] as const;

/** A Markdown table, and the number of violated guarantees. */
export function tableOf(runs: readonly { seed: number; lines: string }[]): { text: string; broken: number } {
  const ofSeeds = runs.map(({ seed, lines }) => ({ seed, rounds: roundsIn(lines) }));
  const rounds = ofSeeds.flatMap((run) => run.rounds);
  const names = [...new Set(rounds.map(({ fault }) => fault))].sort();
  const rows = [
    ...names.map((name) => [name, ...countsOf(rounds.filter(({ fault }) => fault === name))]),
    ...(runs.length > 1 ? ofSeeds.map((run) => [`all, seed ${run.seed}`, ...countsOf(run.rounds)]) : []),
    ["all", ...countsOf(rounds)],
  ];
  const text = [
    "| fault | rounds | awards acknowledged | unknown for a time | lost | doubled | other violations |",
    "|---|---|---|---|---|---|---|",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
  ].join("\n");
  return { text, broken: rounds.reduce((sum, { lost, doubled, other }) => sum + lost + doubled + other, 0) };
}

function roundsIn(lines: string): Round[] {
  return lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function countsOf(rounds: Round[]) {
  return [rounds.length, ...COLUMNS.map((column) => rounds.reduce((sum, round) => sum + round[column], 0))];
}
