// Mistakes in the numbering of events, for mutation-list.ts.
import type { Mutation } from "./mutated-files.ts";

const CHAIN = "test/simulation/fake-chain.ts";
const NUMBER = "libs/events/number-events.ts";

export const EVENT_MUTATIONS: readonly Mutation[] = [
  {
    name: "a number of a clan's chain is not unique",
    patches: [
      {
        file: CHAIN,
        from: "(row.n === n || (row.emptiedAt === null && isSame(row.event)))",
        to: "row.emptiedAt === null && isSame(row.event)",
      },
    ],
  },
  {
    name: "changes without numbers are read by their time",
    patches: [
      {
        file: CHAIN,
        from: "a.platformId.localeCompare(b.platformId) || a.seq - b.seq",
        to: "a.at.getTime() - b.at.getTime()",
      },
    ],
  },
  {
    name: "the next number is sent before a majority holds the one before",
    patches: [
      {
        file: CHAIN,
        from: "row.clanId === clanId && isHeld(row.writtenAt)).map(({ n })",
        to: "row.clanId === clanId).map(({ n })",
      },
    ],
  },
  {
    name: "the flag of a change is removed before its events have numbers",
    patches: [
      {
        file: NUMBER,
        from: "    await nameMembers(clanId, events);",
        to: "    await changes.settle(found, end);\n    await nameMembers(clanId, events);",
      },
    ],
  },
  {
    name: "an erasure appends nothing before it looks for events",
    patches: [
      {
        file: "libs/events/erase-events.ts",
        from: "    await append(clanId, [{ eventId: ids.event(), at: clock.now() }]);\n",
        to: "",
      },
    ],
  },
  {
    name: "a turn goes on although a backup was restored since it began",
    patches: [
      { file: CHAIN, from: "if (additions.some(({ end }) => end.interruptions !== interruptions)) return 0;", to: "" },
      { file: CHAIN, from: "if (end.interruptions !== interruptions) return;", to: "" },
    ],
  },
  {
    name: "a member's changes with the same number before and after an erasure are one",
    patches: [{ file: "libs/domain/change-ref.ts", from: "${seq}/${at.getTime()}/", to: "${seq}/" }],
  },
];
