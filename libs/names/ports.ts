// What names of members need from the outside.
import type { MemberRef } from "#domain/member-id.ts";
import type { Page } from "#domain/page.ts";

/**
 * `name` null: it is forgotten. `isHidden`: whether the game hides the member on the clan's public page. What is not
 * given stays as it is.
 */
export type NamedMember = { platformId: string; name?: string | null | undefined; isHidden?: boolean | undefined };

/** What is stored with a member's name. `isHidden`: on the clan's public page, by whomever. */
export type StoredName = { name: string | null; isHidden: boolean };

/** A name in a search: its first word, in the order of code points, that begins with the first word of the search. */
export type NamePosition = { word: string; platformId: string };

/** Throws AppError `unavailable`. A change may also be `outcome_unknown`; it can be repeated. */
export type NameStore = {
  /**
   * The last name wins. A name that is stored already is not written again, and one of a member who is being erased is
   * not stored. Each platformId occurs once.
   */
  set(clanId: string, names: readonly NamedMember[]): Promise<void>;
  /** The names of those that have one, by platformId. */
  read(clanId: string, platformIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those of whom anything is stored, by platformId. */
  readAll(clanId: string, platformIds: readonly string[]): Promise<ReadonlyMap<string, StoredName>>;
  /** Members, of whom nothing else may be stored, with a word for each of these (wordsOf) that begins with it. */
  find(
    clanId: string,
    query: { words: readonly string[]; after: NamePosition | null; limit: number },
  ): Promise<Page<NamePosition, NamePosition>>;
};

/** `clanIds`: those in which the member is erased. Throws AppError `unavailable`; both can be repeated. */
export type NameErasure = {
  /** Deletes the names. Until `end`, none is stored. Returns whether there was one. */
  begin(member: Pick<MemberRef, "platformId">, clanIds: readonly string[]): Promise<boolean>;
  end(member: Pick<MemberRef, "platformId">, clanIds: readonly string[]): Promise<void>;
};
