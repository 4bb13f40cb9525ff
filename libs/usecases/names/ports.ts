// What names of members need from the outside.
import type { MemberRef } from "#domain/member-id.ts";

/** `name` null: it is forgotten. */
export type NamedMember = { platformId: string; name: string | null };

/** Throws AppError `unavailable`. A change may also be `outcome_unknown`; it can be repeated. */
export type NameStore = {
  /** The last name wins. A name that is stored already is not written again. Each platformId occurs once. */
  set(clanId: string, names: readonly NamedMember[]): Promise<void>;
  /** The names of those that have one, by platformId. */
  read(clanId: string, platformIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
};

/** `clanId` null means every clan. */
export type EraseNames = (target: Pick<MemberRef, "platformId"> & { clanId: string | null }) => Promise<void>;
