// Mistakes in counting boards, for mutation-list.ts.
import type { Mutation } from "./mutated-files.ts";

const FAKE = "test/simulation/boards/fake-boards.ts";
const LEDGER = "test/simulation/boards/fake-ledger.ts";
const SIMULATE = "test/simulation/boards/simulate-boards.ts";
const CATCH_UP = "libs/boards/catch-up.ts";
const COUNT = "libs/boards/count-members.ts";
const ANEW = "libs/boards/count-anew.ts";
const PARTS = "libs/boards/chain-parts.ts";
const FINISH = "libs/boards/finish-periods.ts";
const OPEN = "libs/boards/open-periods.ts";
const STANDING = "libs/domain/standing.ts";

const TESTS = ["test/simulation/boards.test.ts"];

const mistake = (name: string, file: string, from: string, to: string): Mutation => ({
  name,
  patches: [{ file, from, to }],
  tests: TESTS,
});

const LAST_ERASURE =
  "    if (fake.eraseStandings(platformId)) {\n      await turns.sleep(ERASURE_QUIET_MS);\n      fake.eraseStandings(platformId);\n    }\n";
const SETTLE = "await entries.settle(clanId, due);";
const SETTLE_HIGHER = "await entries.settle(clanId, due.filter(({ seq, counted }) => seq > counted));";

export const BOARD_MUTATIONS: readonly Mutation[] = [
  {
    name: "a mark that has nothing left to count is not settled",
    tests: TESTS,
    patches: [
      { file: COUNT, from: SETTLE, to: SETTLE_HIGHER },
      { file: LEDGER, from: "return mark < seq ? { due: mark } : {};", to: "return { due: mark };" },
    ],
  },
  {
    name: "a document that was ahead of the ledger keeps a mark that is ahead, too",
    tests: TESTS,
    patches: [
      { file: COUNT, from: SETTLE, to: SETTLE_HIGHER },
      {
        file: LEDGER,
        from: "const mark = (was ?? 0) > seq ? 0 : Math.min(due ?? was ?? 0, was ?? 0);\n    return mark < seq ? { due: mark } : {};",
        to: "return { due: due ?? was ?? 0 };",
      },
    ],
  },
  mistake(
    "the mark of a document that was ahead of the ledger is where the ledger ends",
    LEDGER,
    "(was ?? 0) > seq ? 0 : Math.min",
    "Math.min",
  ),
  mistake("a mark is replaced by that of the next move", LEDGER, "Math.min(due ?? was ?? 0, was ?? 0)", "(was ?? 0)"),
  mistake(
    "discarded standings are not recorded where a period gets other ones",
    FAKE,
    "    period.discarded.push(period.rows);\n",
    "",
  ),
  {
    name: "the copy of a period that another process makes final is not recorded",
    tests: TESTS,
    patches: [
      { file: FAKE, from: "      period.discarded.push(rows);\n", to: "      void period;\n" },
      { file: FAKE, from: "if (!period?.discarded.includes(rows)) return false;", to: "if (!period) return false;" },
    ],
  },
  mistake(
    "a count from the ledger begins again where a chain is long",
    ANEW,
    "        await rest(tookMs);\n",
    '        throw new AppError("unavailable", "too long");\n',
  ),
  mistake(
    "an entry that a standing contains is counted again",
    STANDING,
    "if (known ? entry.seq <= known.seq : entry",
    "if (known ? entry.seq < known.seq - 1 : entry",
  ),
  mistake(
    "a standing that was counted from a mark replaces one of the ledger with the same entry",
    FAKE,
    "(isWhole && last === standing.seq)",
    "(rows && last === standing.seq)",
  ),
  mistake(
    "a standing is written over one that contains more entries",
    FAKE,
    "if (last < standing.seq ||",
    "if (!isWhole || last < standing.seq ||",
  ),
  mistake(
    "a period that follows a new board's first one counts as counted",
    OPEN,
    "coveredTo.getTime() - CLOCK_ERROR_MS_MAX",
    "coveredTo.getTime() + CLOCK_ERROR_MS_MAX",
  ),
  mistake(
    "after a restored backup, a period that nobody has counted keeps its standings",
    CATCH_UP,
    "({ begunAt }) => restored && begunAt <= restored",
    "({ countedAt }) => restored && countedAt && countedAt <= restored",
  ),
  mistake("a restored backup is not noticed", CATCH_UP, "if (outdated.length > 0) {", "if (outdated.length > 1e9) {"),
  mistake(
    "a board is as of a time after its processes projected",
    CATCH_UP,
    "await boards.noteAsOf(open.boards.filter(isCounted), asOf);",
    "await boards.noteAsOf(open.boards.filter(isCounted), new Date(asOf.getTime() + 5_000));",
  ),
  {
    name: "a process that does not respond is not considered",
    tests: TESTS,
    patches: [
      { file: CATCH_UP, from: "reported ? now : new Date(now.getTime() - UNREPORTED_MS)", to: "reported ? now : now" },
      { file: CATCH_UP, from: "CATCH_UP_MS_MAX, UNREPORTED_MS }", to: "CATCH_UP_MS_MAX }" },
    ],
  },
  mistake(
    "a standing that another process discards is made final",
    FAKE,
    "return period && period.rows === rows && !period.isFinal ? period : null;",
    "return rows && period && !period.isFinal ? period : null;",
  ),
  mistake(
    "a period of a removed board becomes final",
    FAKE,
    "period.rows === rows && !period.isFinal ? period",
    "period.rows === rows && (period.removed || !period.isFinal) ? period",
  ),
  {
    name: "an erasure deletes standings after the chain is open again, and not before",
    tests: TESTS,
    patches: [
      {
        file: SIMULATE,
        from: LAST_ERASURE,
        to: "",
      },
      {
        file: SIMULATE,
        from: "    erasing.delete(platformId);\n",
        to: "    await turns.sleep(1_500);\n    fake.eraseStandings(platformId);\n    erasing.delete(platformId);\n",
      },
    ],
  },
  mistake("an erasure deletes standings at its beginning alone", SIMULATE, LAST_ERASURE, ""),
  mistake(
    "an erasure does not wait for copies of what was counted since it began",
    SIMULATE,
    LAST_ERASURE,
    "    fake.eraseStandings(platformId);\n",
  ),
  {
    name: "an erasure does not mark the entries that it deletes in half a second",
    tests: TESTS,
    patches: [
      { file: SIMULATE, from: "      entry.erasing = true;\n", to: "" },
      {
        file: SIMULATE,
        from: "    await turns.turn();\n    fake.chains.delete(platformId);\n",
        to: "    await turns.sleep(500);\n    fake.chains.delete(platformId);\n",
      },
    ],
  },
  mistake(
    "a reversal changes a period that is final by then",
    STANDING,
    'return what === "award" ? found : found.filter(({ finalAt }) => at < finalAt);',
    "return found;",
  ),
  mistake(
    "a removal does not take a member off the board",
    STANDING,
    "        removed: entry.removed,",
    "        removed: known?.removed ?? entry.removed,",
  ),
  mistake(
    "periods that have begun are not stored before entries are counted",
    COUNT,
    "await readOpenPeriods(clanId, new Date(newest))",
    "await readOpenPeriods(clanId, new Date(newest * 0))",
  ),
  mistake(
    "members whose entries are counted in parts are settled at once",
    COUNT,
    SETTLE,
    "await entries.settle(clanId, listed);",
  ),
  mistake(
    "the mark of a member who was awarded again meanwhile is removed",
    LEDGER,
    "if (member.seq === seq) delete",
    "if (member.seq >= seq) delete",
  ),
  mistake(
    "a count from the ledger replaces a standing with later entries",
    FAKE,
    "if (last < standing.seq ||",
    "if (isWhole || last < standing.seq ||",
  ),
  mistake(
    "what others count while a standing is written is not read again",
    ANEW,
    "      isWritten = true;\n",
    "      return;\n",
  ),
  mistake(
    "a count from the ledger begins at a member's last entry",
    PARTS,
    "Math.min(firstSeq, first",
    "Math.max(firstSeq, first",
  ),
  {
    name: "the chain of a member who was erased since the members were listed is counted from the old beginning",
    tests: ["test/libs/boards/long-chains.test.ts"],
    patches: [{ file: ANEW, from: "part[0].at >= since", to: "part[0].at >= since && first < 0" }],
  },
  mistake(
    "standings are written although they were read long ago",
    ANEW,
    "if (clock.agingMs() - beganAtMs > ageMaxMs)",
    "if (clock.agingMs() - beganAtMs > ageMaxMs * 1_000)",
  ),
  mistake(
    "a period that nobody has counted becomes final",
    FINISH,
    "countedAt !== null && now",
    "countedAt !== undefined && now",
  ),
  mistake(
    "members with equal XP have different positions",
    FINISH,
    "if (standing.xp !== lastXp) [",
    "if (standing.xp !== lastXp || position > 0) [",
  ),
  mistake(
    "a reversal counts in the period in which it is made",
    STANDING,
    'entry.what === "reversal" ? entry.awardAt : at',
    'entry.what === "reversal" && !entry.awardAt ? null : at',
  ),
  mistake(
    "an award of nothing makes a member's XP newer",
    STANDING,
    "known && gained === 0n ?",
    "known && gained !== gained ?",
  ),
  mistake(
    "a membership puts a member on the board who has gained nothing",
    STANDING,
    'entry.what !== "award") continue',
    'entry.what === "reversal") continue',
  ),
  {
    name: "which periods are to be final is read after the last count",
    tests: ["test/libs/boards/catch-up.test.ts"],
    patches: [
      { file: CATCH_UP, from: "    const ripe = await finish.listRipe(clanId, open.periods, now);\n", to: "" },
      {
        file: CATCH_UP,
        from: "for (const period of ripe)",
        to: "for (const period of await finish.listRipe(clanId, open.periods, now))",
      },
    ],
  },
];
