// The errors for ids in a command of which nothing is stored. For a clan, see unknown-clan.ts.
import type { MemberRef } from "#domain/member-id.ts";
import { CliError } from "./cli-error.ts";

export const notFound = {
  account: (name: string) =>
    new CliError("account_not_found", `There is no account "${name}". clanxp account list shows all.`),
  batch: (batchId: string) => new CliError("batch_not_found", `There is no batch "${batchId}".`),
  key: (keyId: string) =>
    new CliError("key_not_found", `There is no key "${keyId}". clanxp key list shows a clan's keys.`),
  member: ({ clanId, platformId }: MemberRef) =>
    new CliError("member_not_found", `The clan "${clanId}" stores nothing for "${platformId}".`),
};
