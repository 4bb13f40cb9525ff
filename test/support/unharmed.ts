// What must hold after every bad request.
import { expect } from "vitest";
import { expectResponse } from "./responses.ts";
import type { ClanCaller } from "./clan-caller.ts";

/**
 * The next valid request is served, and the clan has only what valid requests left. For suites whose other requests are
 * all rejected.
 */
export async function expectUnharmed(clan: ClanCaller): Promise<void> {
  const { body: before } = await clan.get("/members/good");
  const answer = expectResponse("apply-award", await clan.award("good", { amount: 1 }));
  expect(BigInt(answer.xp)).toBe(BigInt(before.xp ?? 0) + 1n);
  const { members } = expectResponse("list-members", await clan.get("/members"));
  expect(members.map((member: { platformId: string }) => member.platformId)).toStrictEqual(["good"]);
}
