// A destination as it is stored, with what a test does not care about.
import type { Destination } from "#domain/destination.ts";

export function destinationOf(destinationId: string, changes: Partial<Destination> = {}): Destination {
  const at = new Date();
  return {
    destinationId,
    clanId: "clan",
    name: "Test",
    kind: "webhook",
    types: ["member.rank_changed"],
    onlyUp: false,
    state: "active",
    stateReason: null,
    since: at,
    sendsTo: "https://example.com/hook",
    mapping: null,
    lastDeliveredAt: null,
    missed: 0,
    createdAt: at,
    createdBy: "test",
    ...changes,
  };
}
