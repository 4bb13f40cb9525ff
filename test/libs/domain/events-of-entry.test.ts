// The table of docs/concepts/events.md: which events an entry has.
import { describe, expect, test } from "vitest";
import type { Entry } from "#domain/entry.ts";
import type { EventBody } from "#domain/event.ts";
import { eventsOfEntry } from "#domain/events-of-entry.ts";
import { NEW_HEAD, type Head } from "#domain/head.ts";
import type { Rank } from "#domain/rank.ts";
import { makeEntry } from "../../support/entry.ts";

const ranks: readonly Rank[] = [
  { name: "Guest", kind: "GUEST" },
  { name: "Recruit", kind: "NORMAL", threshold: 100n },
  { name: "Helper", kind: "STAFF" },
  { name: "Admin", kind: "STAFF", id: "r2" },
  { name: "Owner", kind: "OWNER" },
];
const since = new Date(5);
const member: Head = { ...NEW_HEAD, seq: 1, membership: { since } };

function eventsOf(changes: Partial<Entry>, before: Head | null = null): EventBody[] {
  return eventsOfEntry(makeEntry(changes), "changes", { before, ranks });
}

/** The types, and what a change of rank says about itself. */
function shown(events: readonly EventBody[]): string[] {
  return events.map((event) =>
    event.type === "member.rank_changed" ? `${event.type} ${event.data.direction} ${event.data.cause}` : event.type,
  );
}

const rises = { rank: "Recruit", previousRank: "Guest" } as const;
const falls = { rank: "Guest", previousRank: "Recruit" } as const;
const appointment = { kind: "appointment", amount: 0n, applied: 0n } as const;
const joins = { membershipCreated: true, memberSince: since } as const;

describe("the events of an entry", () => {
  test.each<[string, Partial<Entry>, Head | null, string[]]>([
    ["an award without another rank", {}, null, []],
    ["an award that raises", rises, null, ["member.rank_changed up award"]],
    ["an award that lowers", { ...falls, applied: -5n }, null, ["member.rank_changed down award"]],
    [
      "an award that begins a membership",
      { ...rises, ...joins },
      null,
      ["member.joined", "member.rank_changed up award"],
    ],
    [
      "an award below 0 that begins a membership by its rank alone",
      { ...rises, ...joins, applied: 0n },
      null,
      ["member.joined", "member.rank_changed up award"],
    ],
    ["a reversal", { ...falls, kind: "reversal", applied: -5n }, null, ["member.rank_changed down reversal"]],
    ["a reversal of a deduction", { ...rises, kind: "reversal" }, null, ["member.rank_changed up reversal"]],
    [
      "an added membership",
      { ...rises, ...joins, kind: "membership", applied: 0n },
      NEW_HEAD,
      ["member.joined", "member.rank_changed up membership"],
    ],
    [
      "a removed membership",
      { ...falls, kind: "membership", removed: true, applied: 0n },
      member,
      ["member.left", "member.rank_changed down membership"],
    ],
    ["a removed player without a membership", { kind: "membership", removed: true, applied: 0n }, NEW_HEAD, []],
    [
      "an appointment",
      { ...appointment, rank: "Helper", previousRank: "Recruit", appointedRank: "Helper" },
      member,
      ["member.rank_changed up appointment"],
    ],
    [
      "an appointment to a later STAFF rank",
      { ...appointment, rank: "Admin", previousRank: "Helper", appointedRank: "r2" },
      { ...member, appointedRank: "Helper" },
      ["member.rank_changed up appointment"],
    ],
    [
      "an appointment to an earlier STAFF rank",
      { ...appointment, rank: "Helper", previousRank: "Admin", appointedRank: "Helper" },
      { ...member, appointedRank: "r2" },
      ["member.rank_changed down appointment"],
    ],
    [
      "an appointment of an owner to STAFF",
      { ...appointment, rank: "Admin", previousRank: "Owner", appointedRank: "r2" },
      { ...member, appointedRank: "Owner" },
      ["member.rank_changed down appointment"],
    ],
    [
      "a withdrawn appointment",
      { ...appointment, rank: "Recruit", previousRank: "Owner" },
      { ...member, appointedRank: "Owner" },
      ["member.rank_changed down appointment"],
    ],
  ])("%s", (_, changes, before, expected) => {
    expect(shown(eventsOf(changes, before))).toStrictEqual(expected);
  });

  test("have the ranks that an award passed, and none for other causes", () => {
    const passed = { ...rises, ranksPassed: ["Recruit"] };
    const ranksOf = (changes: Partial<Entry>): unknown => eventsOf(changes).map(({ data }) => data);
    expect(ranksOf(passed)).toMatchObject([{ ranksPassed: ["Recruit"] }]);
    expect(ranksOf({ ...passed, kind: "reversal" })).toMatchObject([{ ranksPassed: [] }]);
  });

  test("of a member who left contain when the membership had begun", () => {
    expect(eventsOf({ ...falls, kind: "membership", removed: true }, member)[0]).toMatchObject({ data: { since } });
  });

  test("include the entry itself, last, where the clan has award events", () => {
    const entry = makeEntry({ ...rises, ...joins, reason: "won", batchId: "b", actor: "ann" });
    const events = eventsOfEntry(entry, "all", { before: null, ranks });
    expect(shown(events)).toStrictEqual(["member.joined", "member.rank_changed up award", "award.applied"]);
    expect(events.at(-1)?.data).toStrictEqual({
      platformId: "p",
      seq: 1,
      amount: 5n,
      applied: 5n,
      xp: 5n,
      rank: "Recruit",
      reason: "won",
      keyId: null,
      batchId: "b",
    });
  });
});
