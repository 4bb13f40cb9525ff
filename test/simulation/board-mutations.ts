// Mistakes in counting boards, for mutation-list.ts.
import type { Mutation } from "./mutated-files.ts";

const FAKE = "test/simulation/boards/fake-boards.ts";
const LEDGER = "test/simulation/boards/fake-ledger.ts";
const SIMULATE = "test/simulation/boards/simulate-boards.ts";
const CATCH_UP = "libs/usecases/boards/catch-up.ts";
const COUNT = "libs/usecases/boards/count-members.ts";
const ANEW = "libs/usecases/boards/count-anew.ts";
const STANDING = "libs/domain/standing.ts";

const MISTAKES: readonly Mutation[] = [
  {
    name: "a mark that has nothing left to count is not settled",
    patches: [
      { file: COUNT, from: "if (!(member.seq > member.counted)) return [member];", to: "" },
      { file: LEDGER, from: "return mark < seq ? { due: mark } : {};", to: "return { due: mark };" },
    ],
  },
  {
    name: "a document that was ahead of the ledger keeps a mark that is ahead, too",
    patches: [
      { file: COUNT, from: "if (!(member.seq > member.counted)) return [member];", to: "" },
      {
        file: LEDGER,
        from: "const mark = (was ?? 0) > seq ? 0 : Math.min(due ?? was ?? 0, was ?? 0);\n    return mark < seq ? { due: mark } : {};",
        to: "return { due: due ?? was ?? 0 };",
      },
    ],
  },
  {
    name: "the mark of a document that was ahead of the ledger is where the ledger ends",
    patches: [{ file: LEDGER, from: "(was ?? 0) > seq ? 0 : Math.min", to: "Math.min" }],
  },
  {
    name: "a mark is replaced by that of the next move",
    patches: [{ file: LEDGER, from: "Math.min(due ?? was ?? 0, was ?? 0)", to: "(was ?? 0)" }],
  },
  {
    name: "discarded standings are not recorded where a period gets other ones",
    patches: [{ file: FAKE, from: "    period.discarded.push(period.rows);\n", to: "" }],
  },
  {
    name: "the copy of a period that another process makes final is not recorded",
    patches: [
      { file: FAKE, from: "      period.discarded.push(rows);\n", to: "      void period;\n" },
      { file: FAKE, from: "if (!period?.discarded.includes(rows)) return false;", to: "if (!period) return false;" },
    ],
  },
  {
    name: "a count from the ledger begins again where a chain is long",
    patches: [
      {
        file: ANEW,
        from: "if (part.length === limit || (isOld && part.length > 0)) continue;",
        to: 'if (part.length === limit) throw new AppError("unavailable", "too long");',
      },
    ],
  },
  {
    name: "an entry that a standing contains is counted again",
    patches: [
      {
        file: STANDING,
        from: "if (known ? entry.seq <= known.seq : entry",
        to: "if (known ? entry.seq < known.seq - 1 : entry",
      },
    ],
  },
  {
    name: "a standing is written over one that it was not derived from",
    patches: [
      {
        file: FAKE,
        from: "if ((standings.get(key)?.seq ?? null) !== before) return true;",
        to: "if (before === -1) return true;",
      },
    ],
  },
  {
    name: "a period that follows a new board's first one counts as counted",
    patches: [
      {
        file: "libs/usecases/boards/open-periods.ts",
        from: "coveredTo.getTime() - CLOCK_ERROR_MS_MAX",
        to: "coveredTo.getTime() + CLOCK_ERROR_MS_MAX",
      },
    ],
  },
  {
    name: "after a restored backup, a period that nobody has counted keeps its standings",
    patches: [
      {
        file: CATCH_UP,
        from: "({ begunAt }) => restored && begunAt <= restored",
        to: "({ countedAt }) => restored && countedAt && countedAt <= restored",
      },
    ],
  },
  {
    name: "a restored backup is not noticed",
    patches: [{ file: CATCH_UP, from: "if (outdated.length > 0) {", to: "if (outdated.length > 1e9) {" }],
  },
  {
    name: "a board is as of a time after its processes projected",
    patches: [
      {
        file: CATCH_UP,
        from: "await boards.noteAsOf(open.boards.filter(isCounted), asOf);",
        to: "await boards.noteAsOf(open.boards.filter(isCounted), new Date(asOf.getTime() + 5_000));",
      },
    ],
  },
  {
    name: "a process that does not respond is not considered",
    patches: [
      { file: CATCH_UP, from: "reported ? now : new Date(now.getTime() - UNREPORTED_MS)", to: "reported ? now : now" },
      { file: CATCH_UP, from: "SAME_DUE_MAX, UNREPORTED_MS }", to: "SAME_DUE_MAX }" },
    ],
  },
  {
    name: "a standing that another process discards is made final",
    patches: [
      {
        file: FAKE,
        from: "return period && period.rows === rows && !period.isFinal ? period : null;",
        to: "return rows && period && !period.isFinal ? period : null;",
      },
    ],
  },
  {
    name: "a period becomes final twice",
    patches: [
      {
        file: FAKE,
        from: "period.rows === rows && !period.isFinal ? period",
        to: "(period.rows === rows || period.isFinal) ? period",
      },
    ],
  },
  {
    name: "an erasure deletes standings after the chain is open again, and not before",
    patches: [
      {
        file: SIMULATE,
        from: "    fake.eraseStandings(platformId);\n    await turns.turn();\n",
        to: "    await turns.turn();\n",
      },
      {
        file: SIMULATE,
        from: "    erasing.delete(platformId);\n",
        to: "    await turns.sleep(1_500);\n    fake.eraseStandings(platformId);\n    erasing.delete(platformId);\n",
      },
    ],
  },
  {
    name: "an erasure deletes standings after its wait alone",
    patches: [
      {
        file: SIMULATE,
        from: "    fake.eraseStandings(platformId);\n    await turns.sleep(",
        to: "    await turns.sleep(",
      },
    ],
  },
  {
    name: "an erasure deletes standings at its beginning alone",
    patches: [
      {
        file: SIMULATE,
        from: "    fake.eraseStandings(platformId);\n    await turns.turn();\n",
        to: "    await turns.turn();\n",
      },
    ],
  },
  {
    name: "a reversal changes a period that is final by then",
    patches: [
      {
        file: STANDING,
        from: 'return what === "award" ? found : found.filter(({ finalAt }) => at < finalAt);',
        to: "return found;",
      },
    ],
  },
  {
    name: "a removal does not take a member off the board",
    patches: [
      {
        file: STANDING,
        from: "        removed: entry.removed,",
        to: "        removed: known?.removed ?? entry.removed,",
      },
    ],
  },
  {
    name: "periods that have begun are not stored before entries are counted",
    patches: [
      {
        file: COUNT,
        from: "const open = await readOpenPeriods(clanId, new Date(newest));",
        to: "const open = await readOpenPeriods(clanId, new Date(newest * 0));",
      },
    ],
  },
];

export const BOARD_MUTATIONS = MISTAKES.map((mistake): Mutation => ({
  ...mistake,
  tests: "test/simulation/boards.test.ts",
}));
