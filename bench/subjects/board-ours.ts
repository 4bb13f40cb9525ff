// This service with one clan, which has a board. The board is read through the API once a second while it is let.
import { setTimeout as pause } from "node:timers/promises";
import { makeSetBoard } from "#boards/set-board.ts";
import { makeStores } from "../../apps/cli/open/stores.ts";
import { testActor } from "../../test/support/actor.ts";
import { until } from "../../test/support/until.ts";
import type { Servers } from "../servers.ts";
import { startOurs } from "./ours.ts";
import type { Subject } from "./subject.ts";

const READ_EVERY_MS = 1_000;

export async function startBoardOurs(servers: Servers): Promise<Subject> {
  const ours = await startOurs(servers, { name: "ours-board", clans: 1 });
  await ours.startWorker();
  const [{ clanId, secret } = { clanId: "", secret: "" }] = ours.clans;
  const setBoard = makeSetBoard(makeStores(ours.database));
  const set = await setBoard({ clanId, boardId: "month" }, { rhythm: { every: "month" } }, testActor);
  if ("rejected" in set) throw new Error(JSON.stringify(set.rejected));
  const url = `http://127.0.0.1:${ours.port}/v0/clans/${clanId}/boards/month/periods/current/members?limit=10`;
  const readBoard = async (): Promise<number> => {
    const answer = await fetch(url, { headers: { "api-key": secret } });
    await answer.text();
    return answer.status;
  };
  let statuses: number[] = [];
  let reading: Promise<void> = Promise.resolve();
  let stop = new AbortController();

  return {
    ...ours,
    beside: {
      async begin() {
        // A new board is read once its period has been counted for the first time.
        await until(async () => (await readBoard()) === 200);
        statuses = [];
        stop = new AbortController();
        reading = readOnceASecond(stop.signal, async () => void statuses.push(await readBoard()));
      },
      async end() {
        stop.abort();
        await reading;
        const failed = statuses.filter((status) => status !== 200);
        return failed.length > 0 ? `${failed.length} of ${statuses.length} reads of the board: ${failed[0]}` : null;
      },
    },
  };
}

/** Each read begins a second after the one before began, or when that is answered, if it takes longer. */
async function readOnceASecond(signal: AbortSignal, read: () => Promise<void>): Promise<void> {
  while (!signal.aborted) await Promise.all([read(), pause(READ_EVERY_MS, undefined, { signal }).catch(() => {})]);
}
