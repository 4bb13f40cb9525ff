import { describe, expect, test } from "vitest";
import { XP_MAX } from "#domain/bounds.ts";
import { rankFaults, type Rank } from "#domain/rank.ts";

const normal = (name: string, threshold: bigint): Rank => ({ name, kind: "NORMAL", threshold });
const guest: Rank = { name: "Visitor", kind: "GUEST" };

describe("rankFaults returns", () => {
  const cases: [string, Rank[], number][] = [
    ["nothing for a valid list", [guest, normal("A", 0n), normal("B", XP_MAX)], 0],
    ["a fault if there is no guest rank", [normal("A", 0n)], 1],
    ["a fault for two guest ranks", [guest, { name: "Other", kind: "GUEST" }], 1],
    ["a fault for equal thresholds", [guest, normal("A", 5n), normal("B", 5n)], 1],
    ["a fault for falling thresholds", [guest, normal("A", 6n), normal("B", 5n)], 1],
    ["a fault for a negative threshold", [guest, normal("A", -1n)], 1],
    ["a fault for a threshold beyond Int64", [guest, normal("A", XP_MAX + 1n)], 1],
    ["a fault for a duplicate name", [guest, normal("Visitor", 5n)], 1],
    ["a fault for an empty name", [guest, normal("", 5n)], 1],
  ];
  test.each(cases)("%s", (_title, ranks, count) => {
    expect(rankFaults(ranks)).toHaveLength(count);
  });
});
