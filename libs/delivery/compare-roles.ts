// Makes one person's roles elsewhere those of their rank.
import { isIdOf, roleChangeOf, type MemberRank } from "#domain/role-change.ts";
import type { RoleOutcome } from "#domain/destination.ts";
import type { LaneReply, RoleLane } from "#delivery/role-lanes.ts";

/**
 * `settled`: nothing else is to be done now. `failed`: it is tried again. `later`: nothing is known yet, because no
 * request is sent now.
 */
export type Compared =
  | { kind: "settled"; outcome: RoleOutcome; reason: string | null; isChanged: boolean }
  | { kind: "failed"; reason: string }
  | { kind: "later" };

/** The roles that a person has; or what follows without knowing them. Throws AppError `unavailable`. */
export async function readRoles(lane: RoleLane, platformId: string): Promise<Compared | { has: readonly string[] }> {
  if (!isIdOf(lane.kind, platformId)) return settled("not_an_id");
  const reply = await lane.ask(null, (client) => client.readMember(platformId));
  return reply.kind === "done" ? { has: reply.value } : comparedOf(reply, "refused");
}

/** `has`: the roles of the person, as just read. Throws AppError `unavailable`. */
export async function applyRank(
  lane: RoleLane,
  { platformId, rank, has }: { platformId: string; rank: MemberRank; has: readonly string[] },
): Promise<Compared> {
  const { assign, unassign } = roleChangeOf(lane.mapping, rank, has);
  const steps = [
    ...assign.map((roleId) => ({ verb: "assign", roleId }) as const),
    ...unassign.map((roleId) => ({ verb: "unassign", roleId }) as const),
  ];
  for (const { verb, roleId } of steps) {
    const reply = await lane.ask(platformId, (client) => client[verb](platformId, roleId));
    if (reply.kind === "done") continue;
    if (reply.kind !== "denied") return comparedOf(reply, "refused");
    const isProtected = reply.isAboutPerson || (await isOwner(lane, has));
    return comparedOf(reply, isProtected ? "protected" : "refused");
  }
  return { ...settled("synced"), isChanged: steps.length > 0 };
}

async function isOwner(lane: RoleLane, has: readonly string[]): Promise<boolean> {
  if (lane.kind === "discord-roles") return false;
  const owners = await lane.ownerRoles();
  return has.some((roleId) => owners.has(roleId));
}

function comparedOf(reply: Exclude<LaneReply<unknown>, { kind: "done" }>, ifDenied: RoleOutcome): Compared {
  switch (reply.kind) {
    case "lost":
    case "rest":
    case "stopped":
      return { kind: "later" };
    case "failed":
      return { kind: "failed", reason: reply.reason };
    case "not_there":
      return settled("not_there");
    case "denied":
      return { ...settled(ifDenied), reason: reply.reason };
    case "rejected":
      return { ...settled("refused"), reason: reply.reason };
  }
}

function settled(outcome: RoleOutcome): Compared & { kind: "settled" } {
  return { kind: "settled", outcome, reason: null, isChanged: false };
}
