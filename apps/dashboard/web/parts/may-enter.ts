// Whether a person may read a clan. The server decides; this only determines redirects.
import type { Me } from "#contract/dashboard/account.ts";

export function mayEnter(me: Me, clanId: string): boolean {
  return me.operator || me.clans.some((clan) => clan.clanId === clanId);
}
