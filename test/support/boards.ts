// A clan with a board, as its callers read it.
import { expect } from "vitest";
import { weekdays } from "#domain/board.ts";
import { patientCliOn } from "./cli.ts";
import { makeClanCaller, type ClanCaller } from "./clan-caller.ts";
import { expectResponse } from "./responses.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";

const SCOPES = ["award", "deduct", "read", "reverse"] as const;

/** `args` of `board set` after the ids; the board is named "board". */
export async function clanWithBoard(world: World, port: number, ...args: string[]): Promise<ClanCaller> {
  const clan = await makeClanCaller(world, port, { xpFloor: null }, SCOPES);
  const cli = patientCliOn({ MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl });
  expect(await cli.json("board", "set", clan.clanId, "board", ...args)).toMatchObject({ exitCode: 0 });
  return clan;
}

/** Options of `board set` for periods none of which ends within the next days. */
export function midWeek(): string[] {
  return ["--every", "week", "--on", weekdays[(new Date().getUTCDay() + 2) % 7] ?? ""];
}

/** As of now or later. */
export async function standingsOf(clan: ClanCaller, query = "", period = "current"): Promise<any> {
  const since = new Date().toISOString();
  let read: any;
  await until(async () => {
    const reply = await clan.get(`/boards/board/periods/${period}/members${query}`);
    // The first count may take longer than its reader waits, and continues.
    if (reply.status === 503) return false;
    read = expectResponse("list-standings", reply);
    return read.asOf >= since;
  });
  return read;
}
