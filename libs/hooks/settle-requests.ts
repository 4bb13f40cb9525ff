// Carries Roblox's erasure requests on: begins the erasures of waiting ones, which a worker then runs like those of the
// dashboard, and ends the requests whose erasures are done.
//
// It may stop anywhere, and run in several workers at the same time: each step is taken once, by the request's status
// and the ids of its turn and its erasure. Invariant: the log never names the person.
import { ROBLOX } from "#domain/erasure-hook.ts";
import type { Ids } from "#kernel/ids.ts";
import type { Log } from "#kernel/log.ts";
import type { ClanStore } from "#clans/ports.ts";
import type { ErasureStore } from "#erasure/ports.ts";
import { REQUESTS_PER_STEP } from "#hooks/bounds.ts";
import type { FindStored, RequestSteps, RunningRequest, TakeHookTurn, WaitingRequest } from "#hooks/ports.ts";

/** Throws AppError `unavailable`; then run it again. */
export type SettleRequests = () => Promise<void>;

type Dependencies = {
  requests: RequestSteps;
  takeTurn: TakeHookTurn;
  erasures: Pick<ErasureStore, "begin" | "read">;
  clans: Pick<ClanStore, "list">;
  findStored: FindStored;
  ids: Pick<Ids, "erasure">;
  log: Log;
};

export function makeSettleRequests(deps: Dependencies): SettleRequests {
  const { requests, takeTurn, erasures, ids, log } = deps;

  async function finishRunning(): Promise<void> {
    for (const request of await requests.running(REQUESTS_PER_STEP)) {
      const states = [];
      for (const { erasureId } of request.erasures) states.push((await erasures.read(erasureId))?.state);
      // The worker that began the request has crashed before it began all of its erasures.
      if (states.includes(undefined)) await beginErasures(erasures, request);
      else if (states.every((state) => state === "done")) await requests.finish(request.requestId);
    }
  }

  /** One erasure in every clan takes less time than one for each. */
  async function begin(request: WaitingRequest & { platformId: string }, stored: readonly string[]): Promise<void> {
    const { requestId, platformId } = request;
    const erased = request.clanIds === null ? [null] : stored;
    const running = { requestId, platformId, erasures: erased.map((clanId) => ({ clanId, erasureId: ids.erasure() })) };
    if (await requests.begin(running, stored)) await beginErasures(erasures, running);
  }

  /** Returns those that a person has to decide on. */
  async function settle(step: readonly WaitingRequest[]): Promise<WaitingRequest[]> {
    const found = await findClans(step, deps);
    const [unknown, held]: [string[], WaitingRequest[]] = [[], []];
    for (const request of step) {
      const { requestId, hookId, platformId, isReleased } = request;
      const clanIds = found.get(requestId) ?? [];
      if (platformId === null || clanIds.length === 0) unknown.push(requestId);
      else if (isReleased || (await takeTurn(hookId, requestId))) await begin({ ...request, platformId }, clanIds);
      else held.push(request);
    }
    await requests.finishUnknown(unknown);
    await requests.hold(held.map(({ requestId }) => requestId));
    return held;
  }

  return async function settleRequests() {
    await finishRunning();
    const held: WaitingRequest[] = [];
    try {
      for (let size = REQUESTS_PER_STEP; size === REQUESTS_PER_STEP;) {
        const step = await requests.waiting(REQUESTS_PER_STEP);
        size = step.length;
        if (size > 0) held.push(...(await settle(step)));
      }
    } finally {
      // Also after an error of a later step: the next run does not read them again.
      warnAbout(held, log);
    }
  };
}

/** Those that have begun are not begun again. */
async function beginErasures(
  { begin }: Pick<ErasureStore, "begin">,
  { platformId, erasures }: RunningRequest,
): Promise<void> {
  for (const { clanId, erasureId } of erasures) await begin({ erasureId, clanId, platformId }, ROBLOX, "worker");
}

/** Where something is stored of the people whom these requests name, by the id of the request. */
async function findClans(
  step: readonly WaitingRequest[],
  { clans, findStored }: Pick<Dependencies, "clans" | "findStored">,
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const ofHook of Map.groupBy(step, (request) => request.hookId).values()) {
    const clanIds = ofHook[0]?.clanIds ?? (await clans.list()).map((clan) => clan.clanId);
    const platformIds = new Set(ofHook.flatMap(({ platformId }) => platformId ?? []));
    const stored = await findStored(clanIds, [...platformIds]);
    for (const { requestId, platformId } of ofHook) found.set(requestId, stored.get(platformId ?? "") ?? []);
  }
  return found;
}

function warnAbout(held: readonly WaitingRequest[], log: Log): void {
  for (const [hookId, ofHook] of Map.groupBy(held, (request) => request.hookId))
    log.warn({ hookId, held: ofHook.length }, "erasure.many");
}
