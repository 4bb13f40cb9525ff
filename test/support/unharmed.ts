// What must hold after every bad request.
import { expect } from "vitest";
import { expectAnswer } from "./answers.ts";
import type { ClanCaller } from "./clan-caller.ts";

/**
 * The next valid request is served, and the clan has only what valid requests left. For suites whose other requests are
 * all rejected.
 */
export async function expectUnharmed(clan: ClanCaller): Promise<void> {
  const { body: before } = await clan.get("/members/good");
  const answer = expectAnswer("apply-award", await clan.award("good", { amount: 1 }));
  expect(BigInt(answer.xp)).toBe(BigInt(before.xp ?? 0) + 1n);
  const { members } = expectAnswer("list-members", await clan.get("/members"));
  expect(members.map((member: { platformId: string }) => member.platformId)).toStrictEqual(["good"]);
}
