import { describe, expect, test } from "vitest";
import { XP_MAX } from "#domain/bounds.ts";
import { rankFaults, type Rank } from "#domain/rank.ts";

const normal = (name: string, threshold: bigint): Rank => ({ name, kind: "NORMAL", threshold });
const guest: Rank = { name: "Visitor", kind: "GUEST" };

describe("rankFaults", () => {
  const cases: [string, Rank[], number][] = [
    ["a good list has none", [guest, normal("A", 0n), normal("B", XP_MAX)], 0],
    ["no guest", [normal("A", 0n)], 1],
    ["two guests", [guest, { name: "Other", kind: "GUEST" }], 1],
    ["equal thresholds", [guest, normal("A", 5n), normal("B", 5n)], 1],
    ["falling thresholds", [guest, normal("A", 6n), normal("B", 5n)], 1],
    ["a negative threshold", [guest, normal("A", -1n)], 1],
    ["a threshold past Int64", [guest, normal("A", XP_MAX + 1n)], 1],
    ["one name twice", [guest, normal("Visitor", 5n)], 1],
    ["no name", [guest, normal("", 5n)], 1],
  ];
  test.each(cases)("%s", (_title, ranks, count) => {
    expect(rankFaults(ranks)).toHaveLength(count);
  });
});
