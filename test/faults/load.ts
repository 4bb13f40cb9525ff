// Callers as game servers are: they burst, lose connections, and send the same award again under the same key until they know.
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { SentAward } from "./history.ts";

/** Longer than any fault of these tests lasts; a caller that still knows nothing then fails the test. */
const PATIENCE_MS = 60_000;
const RETRY_PAUSE_MS = 25;

const Answer = z.object({ xp: z.string().optional(), code: z.string().optional(), batchId: z.string().optional() });

/** Where awards go. Asked before each sending, since a service may come back elsewhere; several are used in turn. */
export type Target = { baseUrls: () => readonly string[]; key: string; clanId: string };

export type Load = {
  /** Awards that some caller knows to be applied. Resolves when there are that many. */
  acknowledged(count: number): Promise<void>;
  /** Ends the load: every award under way is retried until its answer is definite. The whole history. */
  stop(): Promise<SentAward[]>;
};

/** Starts `callers` that send awards of random amounts to random ones of `members`, each caller one at a time. */
export function startLoad(target: Target, { callers, members }: { callers: number; members: number }): Load {
  const history: SentAward[] = [];
  const stopping = new AbortController();
  let known = 0;
  let waiting: { count: number; tell: () => void }[] = [];

  async function callAndCall(caller: number): Promise<void> {
    for (let sent = 0; !stopping.signal.aborted; sent += 1) {
      const award: SentAward = {
        platformId: `m${Math.floor(Math.random() * members)}`,
        key: `${caller}-${sent}`,
        amount: 1 + Math.floor(Math.random() * 50),
        answers: [],
      };
      history.push(award);
      await sendUntilKnown(target, award, caller + sent);
      known += 1;
      for (const { count, tell } of waiting) if (known >= count) tell();
      waiting = waiting.filter(({ count }) => known < count);
    }
  }

  const running = Promise.all(Array.from({ length: callers }, (_, caller) => callAndCall(caller)));
  return {
    async acknowledged(count) {
      const failed = running.then(() => {
        throw new Error("the load has ended");
      });
      await Promise.race([failed, new Promise<void>((tell) => (known >= count ? tell() : waiting.push({ count, tell })))]);
    },
    async stop() {
      stopping.abort();
      await running;
      return history;
    },
  };
}

async function sendUntilKnown(target: Target, award: SentAward, turn: number): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  for (let tries = 0; ; tries += 1) {
    const path = `/v0/clans/${target.clanId}/members/${award.platformId}/xp`;
    const reply = await post(target, turn + tries, path, { amount: award.amount }, award.key);
    award.answers.push({ status: reply.status, xp: reply.body.xp ?? null, replayed: reply.replayed, code: reply.body.code ?? null });
    if (reply.status !== 0 && reply.status < 500) return;
    if (performance.now() > endMs) throw new Error(`no definite answer in time: ${JSON.stringify(award)}`);
    await pause(RETRY_PAUSE_MS);
  }
}

/** Sends a batch until it is accepted, then asks until it is done. Its id. */
export async function sendBatch(target: Target, awards: readonly { platformId: string; amount: number }[], key: string): Promise<string> {
  const endMs = performance.now() + PATIENCE_MS;
  let batchId: string | undefined;
  for (let tries = 0; performance.now() < endMs; tries += 1) {
    const path = `/v0/clans/${target.clanId}/xp`;
    const reply =
      batchId === undefined
        ? await post(target, tries, path, { awards }, key, "respond-async")
        : await get(target, tries, `/v0/clans/${target.clanId}/batches/${batchId}`);
    if (reply.status >= 400 && reply.status < 500) throw new Error(`a batch was refused with ${reply.status}`);
    if (reply.status === 202) batchId = reply.body.batchId;
    if (reply.status === 200 && reply.body.status === "done" && batchId !== undefined) return batchId;
    await pause(RETRY_PAUSE_MS);
  }
  throw new Error(`the batch ${batchId} was not done in time`);
}

type Reply = { status: number; replayed: boolean; body: z.infer<typeof Answer> & { status?: unknown } };

function post(target: Target, turn: number, path: string, body: unknown, key: string, prefer?: string): Promise<Reply> {
  const headers = { "content-type": "application/json", "idempotency-key": key, ...(prefer ? { prefer } : {}) };
  return call(target, turn, path, { method: "POST", body: JSON.stringify(body), headers });
}

function get(target: Target, turn: number, path: string): Promise<Reply> {
  return call(target, turn, path, { headers: {} });
}

async function call(
  target: Target,
  turn: number,
  path: string,
  request: { method?: string; body?: string; headers: Record<string, string> },
): Promise<Reply> {
  const urls = target.baseUrls();
  try {
    const response = await fetch(`${urls[turn % urls.length]}${path}`, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${target.key}` },
    });
    const replayed = response.headers.get("idempotency-replayed") === "true";
    return { status: response.status, replayed, body: Answer.loose().parse(await response.json()) };
  } catch {
    return { status: 0, replayed: false, body: {} };
  }
}
