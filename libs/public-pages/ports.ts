// What publishing a clan's page, and hiding its members there, need from the outside.
import type { Actor } from "#domain/audit.ts";
import type { Clan } from "#domain/clan.ts";
import type { MemberRef } from "#domain/member-id.ts";
import type { Page } from "#domain/page.ts";
import type { PublicPageSettings } from "#domain/public-page.ts";

/** What is not given stays as it is. `publish` false: the page stays as published as it is. */
export type PublicPageChange = Partial<PublicPageSettings> & { publish: boolean; slug?: string };

export type ClanOrRejection = { kind: "changed"; clan: Clan } | { kind: "no_clan" | "slug_taken" };

/**
 * Every change is written together with its audit record, or not at all. Throws AppError `unavailable` if nothing was
 * written, `outcome_unknown` if this is not known.
 */
export type PublicPageStore = {
  /** Without a slug, a page gets its last one, or one made from the clan's name. */
  change(clanId: string, change: PublicPageChange, by: Actor): Promise<ClanOrRejection>;
  /** `was`: whether it was published. Null: there is no such clan. */
  unpublish(clanId: string, by: Actor): Promise<{ was: boolean; clan: Clan } | null>;
  /** The clan whose published page has this address. */
  find(slug: string): Promise<Clan | null>;
};

/** Who hides a member: an owner of the clan, or the game. Either is enough. */
export type HiddenBy = "owner" | "game";
export type HiddenMember = { platformId: string; name: string | null; hiddenBy: readonly HiddenBy[] };

/** Throws as the others do. */
export type HiddenMembers = {
  /** By an owner, also before the first award. False: there is no such clan, or the member is being erased. */
  set(member: MemberRef, isHidden: boolean, by: Actor): Promise<boolean>;
  /** By platformId. */
  list(clanId: string, page: { limit: number; after: string | null }): Promise<Page<HiddenMember, string>>;
};
