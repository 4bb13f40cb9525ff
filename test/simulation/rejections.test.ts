// A rejection is verified before it is returned: concurrent changes, and entries that no majority holds yet.
import { afterEach, expect, test, vi } from "vitest";
import { pause } from "#async/pause.ts";
import { callerAwardKey } from "#domain/award-key.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import { makeEntry } from "../support/entry.ts";
import { makeFakeStore } from "./fake-store.ts";
import { autoClan, award, DEADLINE_MS, makeHeldCommitter } from "./held-committer.ts";

const closedClan = { ...autoClan, autoClan: false };
afterEach(() => void vi.useRealTimers());

test("the committer does not commit an award whose deadline passed while the rejection of another one was verified", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const fake = makeFakeStore();
  await fake.commit([makeEntry({ platformId: "late", memberSince: new Date(0), membershipCreated: true })]);
  let reads = 0;
  const slow: LedgerStore = {
    ...fake,
    async readHeads(members) {
      if ((reads += 1) > 1) await pause(1_000);
      return fake.readHeads(members);
    },
  };
  const { committer, commits } = makeHeldCommitter({ store: slow, clan: closedClan });
  const together = Promise.allSettled([award(committer, "late", "late", 500), award(committer, "stranger")]);
  await vi.advanceTimersByTimeAsync(DEADLINE_MS);
  expect(await together).toMatchObject([
    { status: "rejected", reason: { code: "busy" } },
    { status: "fulfilled", value: { kind: "rejected", code: "member_not_found" } },
  ]);
  expect(commits).toStrictEqual([]);
});

test("the committer treats an award as in doubt, not as rejected, if its entry is not yet written by a majority", async () => {
  const store = makeFakeStore({ majorityMs: () => 60_000 });
  void store.commit([makeEntry({ platformId: "m", key: callerAwardKey("k"), fingerprint: "sha" })]);
  const { committer } = makeHeldCommitter({ store, clan: closedClan });
  await expect(award(committer, "m", "k", 300)).rejects.toMatchObject({ code: "outcome_unknown" });
});
