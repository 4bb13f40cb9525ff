// Clients of peers that answer as the test says, for one file, and the error of a call.
import { afterAll, expect } from "vitest";
import { ClanXp, ClanXpError } from "../../../clients/typescript/src/index.ts";
import type { ClanXpOptions } from "../../../clients/typescript/src/types.ts";
import { startStandIn, type Answer, type StandIn } from "./stand-in.ts";

export const KEY = "cxp_4fJk2_Qm7sV9xT1aZ3";

export type Clients = {
  /** A client of a peer that gives these answers one after the other, the last one again and again. */
  clientOf(answers: Answer[], options?: Partial<ClanXpOptions>): Promise<{ clan: ClanXp; peer: StandIn }>;
  /** They are closed after all tests of the file. */
  peers: StandIn[];
};

export function useClients(): Clients {
  const peers: StandIn[] = [];
  afterAll(() => Promise.all(peers.map((peer) => peer.close())));
  return {
    peers,
    async clientOf(answers, options = {}) {
      const peer = await startStandIn((_request, number) => answers[Math.min(number, answers.length - 1)] ?? "cut");
      peers.push(peer);
      return { clan: new ClanXp({ baseUrl: peer.url, clanId: "rovers", apiKey: KEY, ...options }), peer };
    },
  };
}

export async function errorOf(promise: Promise<unknown>): Promise<ClanXpError> {
  const error = await promise.then(
    () => new Error("it resolved"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClanXpError);
  return error as ClanXpError;
}
