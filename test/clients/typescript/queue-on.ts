// A queue on a peer that answers as the test says, and all that it dropped.
import { afterAll } from "vitest";
import { ClanXp, type ClanXpError } from "../../../clients/typescript/src/index.ts";
import type { AwardQueue, ClanXpOptions, DroppedAward, QueueOptions } from "../../../clients/typescript/src/types.ts";
import { resultsFor, startStandIn, type Answer, type Received, type StandIn } from "./stand-in.ts";

const peers: StandIn[] = [];
afterAll(() => Promise.all(peers.map((peer) => peer.close())));

type Dropped = [idempotencyKey: string, code: string];

export type Queued = { queue: AwardQueue; peer: StandIn; dropped: Dropped[]; errors: ClanXpError[] };

/** The peer is closed after all tests of the file. */
export async function queueOn(
  answer: (request: Received, number: number) => Answer | Promise<Answer>,
  options: QueueOptions = {},
  client: Partial<ClanXpOptions> = {},
): Promise<Queued> {
  const peer = await startStandIn(answer);
  peers.push(peer);
  const dropped: Dropped[] = [];
  const errors: ClanXpError[] = [];
  const onDropped = (award: DroppedAward, error: ClanXpError): void => {
    dropped.push([award.idempotencyKey, error.code]);
    errors.push(error);
  };
  const clan = new ClanXp({ baseUrl: peer.url, clanId: "rovers", apiKey: "cxp_key", timeoutMs: 25_000, ...client });
  return { queue: clan.queue({ flushMs: 20, onDropped, ...options }), peer, dropped, errors };
}

export const keysOf = ({ body }: Received): string[] =>
  body.awards.map(({ idempotencyKey }: { idempotencyKey: string }) => idempotencyKey);
export const named = (idempotencyKey: string) => ({ idempotencyKey });
export const applyAll = (request: Received): Answer => resultsFor(request);
