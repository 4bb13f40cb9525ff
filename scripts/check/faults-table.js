// The table of a run of faults, from the rounds that the tests noted, one JSON line each.

/** @typedef {{ fault: string, acknowledged: number, unknown: number, lost: number, doubled: number, other: number }} Round */

const COLUMNS = /** @type {const} */ (["acknowledged", "unknown", "lost", "doubled", "other"]);

/**
 * @param {readonly { seed: number, lines: string }[]} runs
 * @returns {{ text: string, broken: number }} a Markdown table, and how many promises were broken
 */
export function tableOf(runs) {
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

/**
 * @param {string} lines
 * @returns {Round[]}
 */
function roundsIn(lines) {
  return lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** @param {Round[]} rounds */
function countsOf(rounds) {
  return [rounds.length, ...COLUMNS.map((column) => rounds.reduce((sum, round) => sum + round[column], 0))];
}
