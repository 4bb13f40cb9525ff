// Mistakes made on purpose, each as a change of the sources. mutations.ts checks that the simulation catches every one.
import { DELIVERY_MUTATIONS } from "./delivery-mutations.ts";
import { BOARD_MUTATIONS } from "./board-mutations.ts";
import { EVENT_MUTATIONS } from "./event-mutations.ts";
import type { Mutation } from "./mutated-files.ts";

const GROUP = "libs/ledger/commit/commit-group.ts";
const PLAN = "libs/ledger/commit/plan-group.ts";
const RECORD = "libs/ledger/heads/process-record.ts";
const STORE = "test/simulation/fake-store.ts";
const REVERSAL = "libs/reversals/reverse-awards.ts";
const ERASURE = "libs/erasure/erase-member.ts";

export const MUTATIONS: readonly Mutation[] = [
  {
    name: "the lock is released with its seq before the commit is acknowledged",
    patches: [
      {
        file: "libs/ledger/commit/committer.ts",
        from: "    const unsettled = locked.length",
        to:
          "    const early = (id: MemberId): number => (heads.seqOf(id) ?? 0) + locked.filter(({ award }) => memberIdOf(award) === id).length;\n" +
          "    locks.release(new Map([...locks.granted].map((id) => [id, early(id)])));\n" +
          "    const unsettled = locked.length",
      },
    ],
  },
  {
    name: "a head is cached although the result of its commit is unknown",
    patches: [
      {
        file: GROUP,
        from: "if (now?.seq === head.seq)",
        to: 'if (now?.seq === head.seq || result.kind === "unknown")',
      },
    ],
  },
  {
    name: "an entry whose router lost the response is reported as not stored",
    patches: [
      {
        file: "libs/ledger/store/commit-result.ts",
        from: "    failureOfDocument(error.code),",
        to: '    error.code === 6 ? "unavailable" : failureOfDocument(error.code),',
      },
      {
        file: "libs/ledger/store/commit-result.ts",
        from: '    case "unknown":',
        to: '    case "unavailable":\n      return { kind, stored, cause };\n    case "unknown":',
      },
    ],
  },
  {
    name: "a cached head is used although its lock was released with a higher seq",
    patches: [
      {
        file: "libs/ledger/heads/head-cache.ts",
        from: "else if (seq > head.seq)",
        to: "else if (seq > head.seq + 1_000)",
      },
    ],
  },
  {
    name: "the insert is not ordered",
    patches: [
      {
        file: STORE,
        from: "      clash = insert(entry);\n      if (clash !== null) break;\n      stored += 1;",
        to: "      const failed = insert(entry);\n      if (failed !== null) clash ??= failed;\n      else if (clash === null) stored += 1;",
      },
    ],
  },
  {
    name: "the projection has no guard by seq",
    patches: [
      { file: STORE, from: "if ((members.get(id)?.seq ?? 0) < head.seq && !head.erasing)", to: "if (!head.erasing)" },
    ],
  },
  {
    name: "a commit group continues after a conflict as if it were committed",
    patches: [
      {
        file: GROUP,
        from: 'return result.kind === "unknown" ? 0 : result.stored;',
        to: 'if (result.kind === "conflict") return plan.entries.length;\n  return result.kind === "unknown" ? 0 : result.stored;',
      },
    ],
  },
  {
    name: "an award that was answered while its rejection was verified is committed",
    patches: [
      { file: PLAN, from: "const left = stillOpen(open);", to: "const left = open;" },
      {
        file: GROUP,
        from: "isSame && decisions.every(({ pending }) => pending.isOpen())",
        to: "isSame && decisions !== null",
      },
    ],
  },
  {
    name: "a rejection is returned without a lookup of idempotency keys",
    patches: [{ file: PLAN, from: "if (rejected.length === 0) return", to: "if (rejected.length >= 0) return" }],
  },
  {
    name: "an award is rejected although its entry exists without a majority",
    patches: [{ file: PLAN, from: "pending.unconfirmed();", to: "void pending;" }],
  },
  {
    name: "an award in doubt is reported as not applied",
    patches: [
      {
        file: "libs/ledger/commit/pending-award.ts",
        from: "if (IN_DOUBT.has(this.#state) && outcome.kind",
        to: "if (!this.#state && outcome.kind",
      },
    ],
  },
  {
    name: "heads are read without majority concern",
    patches: [
      { file: STORE, from: "return row && row.position < held ? row.entry : undefined;", to: "return row?.entry;" },
    ],
  },
  {
    name: "the cache of heads outlives the epoch of its ledger",
    patches: [
      { file: "libs/ledger/heads/head-cache.ts", from: "    if (now !== memoryEpoch) memory.clear();\n", to: "" },
    ],
  },
  {
    name: "a process does not notice that its record is an older one",
    patches: [{ file: RECORD, from: "if (before < acknowledged)", to: "if (before < 0)" }],
  },
  {
    name: "a process uses its cached heads again after its connections were interrupted",
    patches: [{ file: RECORD, from: "return wentBack + processes.interruptions();", to: "return wentBack;" }],
  },
  {
    name: "heads are projected in another epoch than they were committed in",
    patches: [
      { file: "libs/ledger/projection/projector.ts", from: "if (head && ofEpoch === guard.epoch)", to: "if (head)" },
    ],
  },
  {
    name: "the heads of a commit without a result are not projected",
    patches: [
      { file: GROUP, from: 'if (result.kind === "unknown") projector.recheck(heads.keys());', to: "" },
      { file: GROUP, from: "    noteReplayed(plan);\n", to: "" },
    ],
  },
  {
    name: "a reversal that is run again after a lost response reverses its awards again",
    patches: [
      {
        file: REVERSAL,
        from: "key: reversalKey(deps.awardIdOf({ clanId, platformId, seq })),",
        to: "key: `${reversalKey(deps.awardIdOf({ clanId, platformId, seq }))}/${process.hrtime.bigint()}`,",
      },
    ],
  },
  {
    name: "a step of a reversal that is run again is counted again",
    patches: [
      {
        file: "test/simulation/fake-reversals.ts",
        from: " && now.position === position && now.attempt === attempt;",
        to: " && now.position > 0;",
      },
    ],
  },
  {
    name: "a worker records a step that another worker has begun since",
    patches: [
      { file: "test/simulation/fake-reversals.ts", from: " && now.attempt === attempt;", to: " && attempt >= 0;" },
    ],
  },
  {
    name: "an attempt at a step begins before the awards of the step are read",
    patches: [
      {
        file: "libs/reversals/run-reversal.ts",
        from: "      step = await pace.run(",
        to: "      correction = await reversals.begin(correction ?? before);\n      step = await pace.run(",
      },
      {
        file: "libs/reversals/run-reversal.ts",
        from: "      if (step.awards.length > 0) correction = await reversals.begin(correction);\n",
        to: "",
      },
    ],
  },
  {
    name: "a reversal does not stop at the floor",
    patches: [
      {
        file: "libs/domain/decide-awards.ts",
        from: "const { xp, gain, gains } = xpAfter(clan, before, change, { reversed, previousRank, now });",
        to:
          "const { gain, gains, ...after } = xpAfter(clan, before, change, { reversed, previousRank, now });\n" +
          '  const xp = kind === "reversal" ? before.xp + change.amount : after.xp;',
      },
    ],
  },
  {
    name: "a reversal reverses the requested amount instead of the applied one",
    patches: [
      {
        file: "test/simulation/fake-reversals.ts",
        from: ".map(({ platformId, seq, key, applied }) => ({ platformId, seq, key, applied }))",
        to: ".map(({ platformId, seq, key, amount }) => ({ platformId, seq, key, applied: amount }))",
      },
    ],
  },
  {
    name: "an Auto Clan restores the membership of a removed member",
    patches: [{ file: "libs/domain/membership.ts", from: "    !before.removed &&\n", to: "" }],
  },
  {
    name: "an erasure does not close the chain before it deletes",
    patches: [{ file: ERASURE, from: "for (const clan of all) await chain.fence(erasureId, of(clan));", to: "" }],
  },
  {
    name: "an award is decided on a closed chain",
    patches: [{ file: PLAN, from: "if (reads.heads.get(id)?.erasing) {", to: "if (plan.epoch === null) {" }],
  },
  {
    name: "a reversal waits for the erasure of its member, and reduces the XP awarded after it",
    patches: [
      {
        file: "libs/ledger/commit/pending-award.ts",
        from: 'award.batchId !== undefined || award.kind === "reversal" || award.kind === "reset";',
        to: 'award.batchId !== undefined || award.kind === "reset";',
      },
    ],
  },
  {
    name: "the reversal of an erased award reduces the XP awarded after the erasure",
    patches: [
      {
        file: "libs/domain/decide-awards.ts",
        from: "const isErased = award.reverses !== undefined && !isReversedBy(award, input.known.get(award.reverses.key));",
        to: 'const isErased = award.kind === "reversal" && head.seq === 0;',
      },
    ],
  },
  {
    name: "a head stays cached during an erasure",
    patches: [
      { file: ERASURE, from: "      await epochs.draw();\n      quietAtMs", to: "      quietAtMs" },
      { file: ERASURE, from: "    await epochs.draw();\n    if (members", to: "    if (members" },
    ],
  },
  {
    name: "a head that is read from the ledger forgets what the member has gained today",
    patches: [
      { file: "libs/domain/head.ts", from: "    ...(gains ? { gains } : {}),\n", to: "    ...(gains ? {} : {}),\n" },
    ],
  },
  {
    name: "at midnight, an award of the day before is not counted with the others of that day",
    patches: [
      { file: "libs/domain/daily-cap.ts", from: "day === gains.day || day === gains.day - 1", to: "day === gains.day" },
    ],
  },
  {
    name: "a reversal gives back what was awarded on another day",
    patches: [
      { file: "libs/domain/daily-cap.ts", from: "isCounted && dayOf(award.at) === dayOf(at)", to: "isCounted" },
    ],
  },
  {
    name: "a reversal takes back what was asked, without the boost",
    patches: [
      {
        file: "test/simulation/fake-reversals.ts",
        from: ".map(({ platformId, seq, key, applied }) => ({ platformId, seq, key, applied }))",
        to: ".map(({ platformId, seq, key, applied, boost, amount }) => ({ platformId, seq, key, applied: boost ? amount : applied }))",
      },
    ],
  },
  ...EVENT_MUTATIONS,
  ...DELIVERY_MUTATIONS,
  ...BOARD_MUTATIONS,
];
