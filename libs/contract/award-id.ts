// An entry's public id. It is derived from (clan, member, seq), so the ledger does not store it.
import { hash } from "node:crypto";
import type { Entry } from "#domain/entry.ts";

export function awardIdOf({ clanId, platformId, seq }: Pick<Entry, "clanId" | "platformId" | "seq">): string {
  return `awd_${hash("sha256", `${clanId}/${platformId}/${seq}`, "base64url").slice(0, 24)}`;
}
