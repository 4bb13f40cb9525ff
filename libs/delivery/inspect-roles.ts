// Reads the roles of a group or a server through a notifier, and checks a mapping with them.
import type { Fault } from "#kernel/app-error.ts";
import type { RoleKind } from "#domain/destination.ts";
import { rolePointer } from "#delivery/find-setting-faults.ts";
import { invalid, rejected, type DestinationRejection } from "#delivery/rejection.ts";
import type { CallResult, CallStore, InspectResult } from "#delivery/call-ports.ts";
import type { Sealer } from "#delivery/ports.ts";

/**
 * A person waits. The slowest answer takes the time limit of a request, 15 s, and a notifier looks for calls every half
 * second.
 */
export const ANSWER_WAIT_MS = 17_000;

/** A notifier looks for calls every half second, and a destination that was just added is held within a second. */
export const TAKEN_WITHIN_MS = 5_000;

export const NOT_IN_TIME = "The notifier gave no answer in time. Try again shortly. Nothing was changed.";
const NO_ANSWER =
  "No notifier answered. Only a notifier sends requests to other services: check that one runs, or start one with npm run notifier, and try again. It makes two tests or checks of a clan at the same time: wait for those that run.";

export type SeenRoles = { kind: "seen"; roles: InspectResult["roles"] };
export type Inspection = {
  clanId: string;
  destinationKind: RoleKind;
  target: string;
  credential: string;
};
export type InspectRoles = (inspection: Inspection) => Promise<SeenRoles | DestinationRejection>;

export function makeInspectRoles({ calls, sealer }: { calls: Pick<CallStore, "ask">; sealer: Sealer }): InspectRoles {
  return async function inspectRoles({ clanId, destinationKind, target, credential }) {
    const sealed = sealer.seal(JSON.stringify({ kind: destinationKind, credential }), clanId);
    const call = { kind: "inspect", clanId, destinationKind, target, sealed } as const;
    const answer = answerOf(await calls.ask(call, { timeoutMs: ANSWER_WAIT_MS, takenWithinMs: TAKEN_WITHIN_MS }));
    if (answer.kind === "rejected") return answer;
    if (!answer.result.inspect) return rejected("no_notifier", NOT_IN_TIME);
    const { fault, roles } = answer.result.inspect;
    if (fault === null) return { kind: "seen", roles };
    return rejected("refused", `${fault} Nothing was changed.`, [{ pointer: "/credential", detail: fault }]);
  };
}

/** `null`: no notifier took the call. */
export function answerOf(result: CallResult | null): { kind: "answered"; result: CallResult } | DestinationRejection {
  if (!result) return rejected("no_notifier", `${NO_ANSWER} Nothing was changed.`);
  return result.fault === undefined ? { kind: "answered", result } : rejected("refused", result.fault);
}

/** Null if every role of the mapping exists and may be assigned. */
export function findRoleFaults(
  roles: Readonly<Record<string, string>>,
  seen: InspectResult["roles"],
): DestinationRejection | null {
  const usable = seen.filter((role) => role.isUsable).map(({ name, roleId }) => `${name} (${roleId})`);
  const faults = Object.entries(roles).flatMap(([rank, roleId]): Fault[] => {
    const role = seen.find((one) => one.roleId === roleId);
    if (role?.isUsable) return [];
    const detail = role
      ? `must not be ${role.name} (${roleId}). ${role.whyNot ?? "It cannot be assigned."} Roles are ${usable.join(", ")}`
      : `must be the id of a role that exists, not ${roleId}. Roles are ${usable.join(", ")}`;
    return [{ pointer: rolePointer(rank), detail }];
  });
  return faults.length === 0 ? null : invalid(faults);
}
