// The member that a command names: <clanId> <platformId>. Throws CliError `usage` with all faults.
import type { MemberRef } from "#domain/member-id.ts";
import { clanIdIn, platformIdIn, type Faults } from "./parse.ts";
import { rejectFaults } from "./cli-error.ts";

export function memberIn(clanId: string, platformId: string): MemberRef {
  const faults: Faults = [];
  const member = { clanId: clanIdIn(clanId, faults), platformId: platformIdIn(platformId, faults) };
  rejectFaults(faults);
  return member;
}
