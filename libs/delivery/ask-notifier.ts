// What a person asks a notifier to do for a destination now: a test, a comparison of roles, or reading the roles.
import { makeTtlCache } from "#async/ttl-cache.ts";
import { isRoleKind } from "#domain/destination.ts";
import {
  ANSWER_WAIT_MS,
  answerOf,
  makeInspectRoles,
  NOT_IN_TIME,
  TAKEN_WITHIN_MS,
  type SeenRoles,
} from "#delivery/inspect-roles.ts";
import { ROLES_SEEN_MAX, ROLES_SEEN_MS } from "#delivery/bounds.ts";
import { credentialIn } from "#delivery/open-secrets.ts";
import {
  NO_SECRETS_KEY,
  noDestination,
  NOT_DECRYPTABLE,
  rejected,
  type DestinationRejection,
} from "#delivery/rejection.ts";
import type { Clock } from "#kernel/clock.ts";
import type { CallStore, SyncResult, TestResult } from "#delivery/call-ports.ts";
import type { DestinationStore, Sealer } from "#delivery/ports.ts";

export type AskNotifier = {
  test(destinationId: string): Promise<{ kind: "tested"; result: TestResult } | DestinationRejection>;
  /** `waitMs`: how long the result is waited for; afterwards the comparison goes on, and the result is null. */
  sync(
    destinationId: string,
    options: { platformId: string | null; dryRun: boolean; waitMs: number },
  ): Promise<{ kind: "synced"; result: SyncResult | null } | DestinationRejection>;
  /**
   * The roles that a destination's credential may assign, or why they are not known. At most ROLES_SEEN_MS old: all who
   * look at the page together cost Roblox or Discord few requests.
   */
  readRoles(destinationId: string): Promise<SeenRoles | DestinationRejection>;
};

export function makeAskNotifier(deps: {
  destinations: Pick<DestinationStore, "read">;
  calls: Pick<CallStore, "ask">;
  sealer: Sealer | null;
  clock: Pick<Clock, "agingMs">;
}): AskNotifier {
  const { destinations, calls, sealer, clock } = deps;

  async function readRolesNow(destinationId: string): Promise<SeenRoles | DestinationRejection> {
    const stored = await destinations.read(destinationId);
    if (!stored) return noDestination(destinationId);
    const { kind, clanId, mapping } = stored.destination;
    if (!isRoleKind(kind) || !mapping) return rejected("invalid", `A ${kind} destination assigns no roles.`);
    if (!sealer) return rejected("no_secrets_key", NO_SECRETS_KEY);
    const credential = credentialIn(stored, sealer);
    if (credential === null) return rejected("no_secrets_key", NOT_DECRYPTABLE);
    const inspection = { clanId, destinationKind: kind, target: mapping.target, credential };
    return makeInspectRoles({ calls, sealer })(inspection);
  }

  const rolesSeen = makeTtlCache<SeenRoles | DestinationRejection>({
    async load(keys) {
      const read = async (key: string) => [key, await readRolesNow(key.split(" ", 1)[0] ?? "")] as const;
      return new Map(await Promise.all(keys.map(read)));
    },
    ageMaxMs: ROLES_SEEN_MS,
    sizeMax: ROLES_SEEN_MAX,
    clock,
  });

  return {
    async test(destinationId) {
      const stored = await destinations.read(destinationId);
      if (!stored) return noDestination(destinationId);
      const { rev } = stored;
      const answer = answerOf(
        await calls.ask(
          { kind: "test", destinationId, rev },
          { timeoutMs: ANSWER_WAIT_MS, takenWithinMs: TAKEN_WITHIN_MS },
        ),
      );
      if (answer.kind === "rejected") return answer;
      const { test } = answer.result;
      return test ? { kind: "tested", result: test } : rejected("no_notifier", NOT_IN_TIME);
    },

    async sync(destinationId, { platformId, dryRun, waitMs }) {
      const stored = await destinations.read(destinationId);
      if (!stored) return noDestination(destinationId);
      const { rev, destination } = stored;
      const { kind } = destination;
      if (!isRoleKind(kind)) return rejected("invalid", `A ${kind} destination assigns no roles.`);
      const call = { kind: "sync", destinationId, rev, platformId, dryRun } as const;
      const answer = answerOf(await calls.ask(call, { timeoutMs: waitMs, takenWithinMs: TAKEN_WITHIN_MS }));
      if (answer.kind === "rejected") return answer;
      return { kind: "synced", result: answer.result.sync ?? null };
    },

    async readRoles(destinationId) {
      const stored = await destinations.read(destinationId);
      if (!stored) return noDestination(destinationId);
      // Another credential, or another group or server, is asked immediately.
      const key = [destinationId, stored.destination.mapping?.target, stored.sealed].join(" ");
      return (await rolesSeen.get(key)) ?? noDestination(destinationId);
    },
  };
}
