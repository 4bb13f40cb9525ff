// The errors for ids in a command of which nothing is stored. For a clan, see unknown-clan.ts.
import type { MemberRef } from "#domain/member-id.ts";
import { Refusal } from "./refusal.ts";

export const notFound = {
  account: (name: string) =>
    new Refusal("account_not_found", `There is no account "${name}". clanxp account list shows all.`),
  batch: (batchId: string) => new Refusal("batch_not_found", `There is no batch "${batchId}".`),
  key: (keyId: string) =>
    new Refusal("key_not_found", `There is no key "${keyId}". clanxp key list shows a clan's keys.`),
  member: ({ clanId, platformId }: MemberRef) =>
    new Refusal("member_not_found", `The clan "${clanId}" stores nothing for "${platformId}".`),
};
