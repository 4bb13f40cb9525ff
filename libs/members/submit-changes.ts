// Changes of one member that an operator makes: entries of the member, committed in order, like awards.
import type { Actor } from "#domain/audit.ts";
import { ownAwardKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import { memberIdOf, type MemberRef } from "#domain/member-id.ts";
import { NEW_HEAD, type Head } from "#domain/head.ts";
import type { Member } from "#domain/member.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { LedgerStore } from "#ledger/ports.ts";
import { AWARD_DEADLINE_MS } from "#ledger/bounds.ts";
import type { Ids } from "#kernel/ids.ts";

export type Change = Pick<Award, "kind" | "appoints" | "ends">;

export type SubmitChanges = {
  /** What is stored of the member; null if nothing is. Throws AppError `unavailable`. */
  read(member: MemberRef): Promise<Head | null>;
  /**
   * Returns the member after these changes. Throws as the committer does; a change that may have been made can be
   * submitted again.
   */
  submit(member: MemberRef, changes: readonly Change[], by: Actor): Promise<Member>;
};

export type ChangeDeps = {
  store: Pick<LedgerStore, "readHeads">;
  committer: Pick<Ledger, "submit">;
  ids: Pick<Ids, "award">;
};

export function makeSubmitChanges({ store, committer, ids }: ChangeDeps): SubmitChanges {
  async function read(ref: MemberRef): Promise<Head | null> {
    return (await store.readHeads([ref])).get(memberIdOf(ref)) ?? null;
  }

  return {
    read,
    async submit({ clanId, platformId }, changes, by) {
      // They are submitted together, so they are committed in this order, in one group.
      await Promise.all(
        changes.map((change) => {
          const facts = { fingerprint: "", amount: 0n, apiKeyId: by.via, actor: by.actor };
          const award = { clanId, platformId, key: ownAwardKey(ids.award()), ...facts, ...change };
          return committer.submit(award, AWARD_DEADLINE_MS);
        }),
      );
      return { clanId, platformId, ...((await read({ clanId, platformId })) ?? NEW_HEAD) };
    },
  };
}
