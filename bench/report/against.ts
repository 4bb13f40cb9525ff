// What `--against` prints for a terminal.
import { PARTS, type AgainstResult } from "../against/run-against.ts";
import type { Ratio } from "../ratio.ts";
import { aligned, digits, machineLines } from "./table.ts";

export function againstTableOf({ commit, lines, ...result }: AgainstResult): string {
  const rows = lines.map(({ scene, speed, awardsPerS, cpuUs }) => [
    scene,
    rangeOf(speed),
    `${digits(awardsPerS.there)} → ${digits(awardsPerS.here)}`,
    ...PARTS.map((part) => {
      const { there, here, ratio } = cpuUs[part];
      return `${digits(there)} → ${digits(here)}  ${rangeOf(ratio)}`;
    }),
  ]);
  return [
    ...machineLines(result),
    `${commit.slice(0, 12)} → this product. Speed: awards/s, and for \`open\` CPU per award, turned round.`,
    "",
    aligned([["", "speed", "awards/s", ...PARTS.map((part) => `${part}, CPU µs per award`)], ...rows]),
  ].join("\n");
}

function rangeOf({ median, lowest, highest }: Ratio): string {
  return `× ${digits(median)} (${digits(lowest)} to ${digits(highest)})`;
}
