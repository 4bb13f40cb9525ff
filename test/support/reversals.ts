// Reversals as callers ask for them and read them.
import { expectResponse } from "./responses.ts";
import type { ClanCaller } from "./clan-caller.ts";
import type { SentHeaders } from "./http.ts";
import { until } from "./until.ts";

export type ReversalCaller = {
  preview(by: object): Promise<{ awards: number; members: number; amount: string }>;
  /** Answers the id of the accepted reversal. */
  reverse(by: object, reason?: string, headers?: SentHeaders): Promise<string>;
  read(reversalId: string): Promise<any>;
  /** Reverses, waits until it is done, and answers what was counted. */
  reverseNow(by: object, reason?: string): Promise<{ selected: number; reversed: number; skipped: number }>;
};

export function reversalsOf(clan: Pick<ClanCaller, "post" | "get">): ReversalCaller {
  async function read(reversalId: string): Promise<any> {
    return expectResponse("read-reversal", await clan.get(`/reversals/${reversalId}`));
  }
  async function reverse(by: object, reason?: string, headers?: SentHeaders): Promise<string> {
    return expectResponse("submit-reversal", await clan.post("/reversals", { by, reason }, headers), 202).reversalId;
  }
  return {
    preview: async (by) => expectResponse("submit-reversal", await clan.post("/reversals", { by, dryRun: true })),
    reverse,
    read,
    async reverseNow(by, reason) {
      const reversalId = await reverse(by, reason);
      await until(async () => (await read(reversalId)).status === "done");
      const { selected, reversed, skipped } = await read(reversalId);
      return { selected, reversed, skipped };
    },
  };
}
