// The answer to a call whose awards all failed: it must be true of each of them.
import { expect, test } from "vitest";
import { AppError } from "#kernel/app-error.ts";
import type { Award } from "#domain/award.ts";
import type { Clan } from "#domain/clan.ts";
import type { EntryFailureCode } from "#kernel/error-code.ts";
import { makeCounters } from "#telemetry/metrics/counters.ts";
import { makeApplyAwards } from "#awards/apply-awards.ts";

const clan: Clan = {
  clanId: "c",
  name: "Test",
  autoClan: true,
  ranks: [{ name: "Guest", kind: "GUEST" }],
  xpFloor: 0n,
  xpCap: 1_000n,
  amountMax: 1_000,
};
const NOTHING_APPLIED = "Nothing was applied.";

/** Applies one award per code, each of which fails with it. */
async function failWith(codes: readonly EntryFailureCode[]): Promise<unknown> {
  const applyAwards = makeApplyAwards({
    committer: {
      submit: ({ platformId }: Award) =>
        Promise.reject(new AppError(codes[Number(platformId)] ?? "busy", `${platformId}: ${NOTHING_APPLIED}`)),
    },
    findReplays: async () => new Map(),
    claimPriority: () => {},
    rules: { get: async () => clan, getMany: async () => new Map(), forget() {} },
    readCallerAward: ({ platformId, amount }, { clanId, keyId }) => ({
      clanId,
      platformId,
      key: platformId,
      fingerprint: "",
      amount: BigInt(amount),
      apiKeyId: keyId,
    }),
    claimAwards: async () => null,
    meter: makeCounters(),
  });
  const limits = { requestsPerSecond: null, awardsPerSecond: null, amountMax: null, xpPerDay: null };
  const principal = { keyId: "k", clanId: "c", scopes: ["award"] as const, limits };
  const awards = codes.map((_, index) => ({ platformId: String(index), amount: 1 }));
  return applyAwards({ principal, awards, spendAwards: async () => {} }).catch((error: unknown) => error);
}

test.each([[["busy", "outcome_unknown"]], [["unavailable", "busy", "outcome_unknown"]]] as [EntryFailureCode[]][])(
  "failures %j return the code of the first one, and do not claim that nothing was applied",
  async (codes) => {
    const error = await failWith(codes);
    expect(error).toMatchObject({
      code: codes[0],
      message: expect.stringMatching(/not known whether any.*same idempotency keys/),
    });
    expect(error).not.toMatchObject({ message: expect.stringContaining(NOTHING_APPLIED) });
  },
);

test.each([[["busy", "unavailable"]], [["outcome_unknown", "busy"]]] as [EntryFailureCode[]][])(
  "failures %j return the error of the first one",
  async (codes) => {
    expect(await failWith(codes)).toMatchObject({ code: codes[0], message: `0: ${NOTHING_APPLIED}` });
  },
);
