// Callers as game servers are: they burst, lose connections, and send the same award again under the same key until
// they know.
import { setTimeout as pause } from "node:timers/promises";
import { chanceOf, type Chance } from "../support/chance.ts";
import type { CommandLine } from "../support/cli.ts";
import type { SentMembership, SentReversal } from "../support/corrections-oracle.ts";
import { newAwards, sendCall } from "./send-awards.ts";
import { runUntilDone, sendReversal } from "./send-corrections.ts";
import type { SeenAnswer, SentAward } from "../support/oracle.ts";
import { retryPause } from "./retry-pause.ts";
import { isOpen, post, sendOnce, sendRequest, type Target } from "./send.ts";
import { timed } from "./timed.ts";

/** Longer than any fault of these tests lasts; a caller that still knows nothing then fails the test. */
const PATIENCE_MS = 90_000;
/**
 * Between two awards of one caller. A dozen callers still have some under way at any moment, and the machine has time
 * for the processes that a fault starts anew, and for the suites beside. The long form sends as fast as it can.
 */
const THINK_MS = process.env["FAULTS_MINUTES"] ? 0 : 100;
/** Each has dozens of awards. */
const THINK_MS_BETWEEN_BATCHES = 5 * THINK_MS;
const AWARDS_PER_BATCH = 40;
/**
 * Awards that some caller knows to be applied between two commands of an operator, and between two erasures of a
 * member.
 */
const AWARDS_PER_COMMAND = 40;
const AWARDS_PER_ERASURE = 20;
/** Few, so that each is removed and added again in most rounds. */
const MEMBERS_OPERATED = 2;

type NewBatch = { key: string; awards: readonly { platformId: string; amount: number }[] };
/**
 * A batch in its caller's record, with the answers until it was accepted. The id is known only to callers who were
 * asked to wait.
 */
export type KeyedBatch = NewBatch & { answers: readonly SeenAnswer[] };
/** What the callers of a load remember. */
export type Seen = {
  awards: SentAward[];
  batches: KeyedBatch[];
  reversals: SentReversal[];
  /** Of each member that an operator changed, what was changed last. */
  memberships: SentMembership[];
  slowestMs: number;
};
/**
 * Loops of those who correct: reversals of own awards, and with a command line removals and additions of members, and
 * erasures.
 */
type Correctors = { reversers?: number; operator?: CommandLine | null; eraser?: CommandLine | null };

export type Load = {
  /**
   * Awards that some caller knows to be applied, from now on; a call of several counts as one. Resolves when there are
   * that many more.
   */
  acknowledged(count: number): Promise<void>;
  /** Ends the load: every award and batch under way is retried until its answer is definite. */
  stop(): Promise<Seen>;
};

/**
 * Starts `callers` that send awards of random amounts to random ones of `members`, `queues` that send several in a
 * call, and `batchers` that send batches, each one at a time; and those who correct. The same seed makes the same
 * awards.
 */
export function startLoad(
  target: Target,
  options: { callers: number; members: number; queues?: number; batchers?: number; seed: number } & Correctors,
): Load {
  const { callers, members, queues = 0, batchers = 0, seed, reversers = 0, operator = null, eraser = null } = options;
  const seen: Seen = { awards: [], batches: [], reversals: [], memberships: [], slowestMs: 0 };
  const stopping = new AbortController();
  const stopped = new Promise((resolve) => stopping.signal.addEventListener("abort", resolve));
  let known = 0;
  let waiting: { count: number; resolve: () => void }[] = [];

  async function callAndCall(caller: number): Promise<void> {
    const chance = chanceOf(seed + caller);
    for (let sent = 0; !stopping.signal.aborted; sent += 1) {
      const platformId = `m${chance.int(1, members)}`;
      const award: SentAward = { platformId, key: `${caller}-${sent}`, amount: chance.int(1, 50), answers: [] };
      seen.awards.push(award);
      seen.slowestMs = Math.max(seen.slowestMs, await sendUntilKnown(target, award, caller + sent));
      countOne();
      await pause(THINK_MS);
    }
  }

  async function callWithMany(queue: number): Promise<void> {
    const chance = chanceOf(seed + 2_000 + queue);
    for (let sent = 0; !stopping.signal.aborted; sent += 1) {
      const awards = newAwards(chance, { members, name: `queue-${queue}-${sent}` });
      seen.awards.push(...awards);
      seen.slowestMs = Math.max(seen.slowestMs, await callUntilKnown(target, awards, queue + sent, chance));
      countOne();
      await pause(THINK_MS);
    }
  }

  function acknowledged(more: number): Promise<void> {
    const count = known + more;
    return new Promise((resolve) => waiting.push({ count, resolve }));
  }

  function countOne(): void {
    known += 1;
    for (const { count, resolve } of waiting) if (known >= count) resolve();
    waiting = waiting.filter(({ count }) => known < count);
  }

  async function batchAndBatch(batcher: number): Promise<void> {
    const chance = chanceOf(seed + 1_000 + batcher);
    for (let sent = 0; !stopping.signal.aborted; sent += 1) {
      const batch = { key: `batch-${batcher}-${sent}`, awards: awardsOfBatch(chance) };
      seen.batches.push(await sendBatch(target, batch, batcher + sent));
      await pause(THINK_MS_BETWEEN_BATCHES);
    }
  }

  async function reverseAndReverse(reverser: number): Promise<void> {
    const chance = chanceOf(seed + 3_000 + reverser);
    for (let sent = 0; !stopping.signal.aborted; sent += 1) {
      const matchId = `match-${reverser}-${sent}`;
      const awards = newAwards(chance, { members, name: matchId, source: { matchId } });
      seen.awards.push(...awards);
      seen.slowestMs = Math.max(seen.slowestMs, await callUntilKnown(target, awards, sent, chance));
      seen.reversals.push(await sendReversal(target, { key: matchId, matchId, awards }));
      await pause(THINK_MS_BETWEEN_BATCHES);
    }
  }

  /** Removes members and adds them again, while callers go on awarding them. */
  async function operate(cli: CommandLine): Promise<void> {
    const chance = chanceOf(seed + 4_000);
    const last = new Map<string, boolean>();
    while (!stopping.signal.aborted) {
      await Promise.race([acknowledged(AWARDS_PER_COMMAND), stopped]);
      if (stopping.signal.aborted) break;
      const platformId = `m${chance.int(1, Math.min(members, MEMBERS_OPERATED))}`;
      // Added first: only who is a member can be removed.
      const isMember = last.get(platformId) !== true;
      await runUntilDone(cli, "member", isMember ? "add" : "remove", target.clanId, platformId);
      last.set(platformId, isMember);
    }
    seen.memberships.push(...[...last].map(([platformId, isMember]) => ({ platformId, isMember })));
  }

  /** Awards another member and erases them repeatedly: only what was sent since the last erasure exists. */
  async function eraseAndErase(cli: CommandLine): Promise<void> {
    const chance = chanceOf(seed + 5_000);
    let since: SentAward[] = [];
    for (let sent = 0; !stopping.signal.aborted; sent += 1) {
      const award: SentAward = { platformId: "erased", key: `erased-${sent}`, amount: chance.int(1, 50), answers: [] };
      since.push(award);
      await sendUntilKnown(target, award, sent);
      if (sent % AWARDS_PER_ERASURE !== AWARDS_PER_ERASURE - 1) continue;
      await runUntilDone(cli, "member", "erase", target.clanId, "erased", "--yes");
      since = [];
    }
    seen.awards.push(...since);
  }

  const running = Promise.all([
    ...Array.from({ length: callers }, (_, caller) => callAndCall(caller)),
    ...Array.from({ length: queues }, (_, queue) => callWithMany(queue)),
    ...Array.from({ length: batchers }, (_, batcher) => batchAndBatch(batcher)),
    ...Array.from({ length: reversers }, (_, reverser) => reverseAndReverse(reverser)),
    ...(operator ? [operate(operator)] : []),
    ...(eraser ? [eraseAndErase(eraser)] : []),
  ]);
  // Reported where it is awaited; a fault may take longer than a caller waits.
  running.catch(() => {});
  return {
    async acknowledged(more) {
      const failed = running.then(() => {
        throw new Error("the load has ended");
      });
      await Promise.race([failed, acknowledged(more)]);
    },
    async stop() {
      stopping.abort();
      await running;
      return seen;
    },
  };
}

function awardsOfBatch(chance: Chance): { platformId: string; amount: number }[] {
  return Array.from({ length: AWARDS_PER_BATCH }, () => ({
    platformId: `b${chance.int(1, 10)}`,
    amount: chance.int(1, 50),
  }));
}

/** Answers how long the slowest answer took. */
async function sendUntilKnown(target: Target, award: SentAward, turn: number): Promise<number> {
  const endMs = performance.now() + PATIENCE_MS;
  let slowestMs = 0;
  for (let tries = 0; ; tries += 1) {
    const { result: status, ms } = await timed(() => sendOnce(target, award, turn + tries));
    slowestMs = Math.max(slowestMs, ms);
    if (!isOpen(status)) return slowestMs;
    if (performance.now() > endMs) throw new Error(`no definite answer in time: ${JSON.stringify(award)}`);
    await retryPause(tries);
  }
}

/** Sends what is not settled again, until all is. Answers how long the slowest answer took. */
async function callUntilKnown(
  target: Target,
  awards: readonly SentAward[],
  turn: number,
  chance: Chance,
): Promise<number> {
  const endMs = performance.now() + PATIENCE_MS;
  let slowestMs = 0;
  let open = awards;
  for (let tries = 0; ; tries += 1) {
    const { result, ms } = await timed(() => sendCall(target, open, turn + tries, chance));
    open = result;
    slowestMs = Math.max(slowestMs, ms);
    if (open.length === 0) return slowestMs;
    if (performance.now() > endMs) throw new Error(`no definite answer in time: ${JSON.stringify(open)}`);
    await retryPause(tries);
  }
}

/** Sends a batch until it is accepted, waiting for its result or not, then asks until it is done. */
export async function sendBatch(target: Target, { key, awards }: NewBatch, turn = 0): Promise<KeyedBatch> {
  const endMs = performance.now() + PATIENCE_MS;
  const answers: SeenAnswer[] = [];
  let batchId: string | undefined;
  for (let tries = 0; performance.now() < endMs; tries += 1) {
    const path = `/v0/clans/${target.clanId}/xp`;
    const prefer = (turn + tries) % 2 === 0 ? "respond-async" : "wait=2";
    const reply =
      batchId === undefined
        ? await post(target, turn + tries, path, { awards }, key, { prefer })
        : await sendRequest(target, turn + tries, `/v0/clans/${target.clanId}/batches/${batchId}`, { headers: {} });
    if (reply.status >= 400 && !isOpen(reply.status)) throw new Error(`a batch was refused with ${reply.status}`);
    if (batchId === undefined)
      answers.push({ status: reply.status, xp: null, replayed: reply.replayed, code: reply.body.code ?? null });
    if (reply.status === 202) batchId = reply.body.batchId;
    // Sent again after a lost answer it may be done by now: then it is answered with its results, and no id.
    if (reply.status === 200 && (batchId === undefined || reply.body.status === "done"))
      return { key, awards, answers };
    await retryPause(tries);
  }
  throw new Error(`the batch ${batchId} was not done in time`);
}
