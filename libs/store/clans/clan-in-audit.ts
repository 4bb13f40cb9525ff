// The fields of a clan in an audit record: its rules and settings.
import type { Clan } from "#domain/clan.ts";

export function clanInAudit({ name, autoClan, ranks, xpFloor, xpCap, amountMax }: Clan): object {
  return { name, autoClan, ranks, xpFloor, xpCap, amountMax };
}
