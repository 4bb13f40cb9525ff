// Replaces a clan's whole list of ranks. Members' ranks change immediately, because they are derived from the current
// rules.
import type { Actor } from "#domain/audit.ts";
import type { Clan } from "#domain/clan.ts";
import type { Rank } from "#domain/rank.ts";
import type { ClanChanges } from "#clans/ports.ts";
import type { PreviewRanks, RanksPreview, RanksRequest } from "#ranks/preview-ranks.ts";

export type RanksChange =
  | { kind: "changed"; clan: Clan }
  | { kind: "unconfirmed"; preview: RanksPreview }
  | { kind: "list_changed" }
  | { kind: "no_clan" }
  | { kind: "faulty"; faults: string[] };

/**
 * `confirmed`: a person has agreed that members' ranks change and appointments end. Otherwise such a list is not set.
 * Throws AppError `unavailable`, `outcome_unknown`.
 */
export type SetRanks = (request: RanksRequest & { confirmed: boolean }, by: Actor) => Promise<RanksChange>;

export function makeSetRanks({ clans, previewRanks }: { clans: ClanChanges; previewRanks: PreviewRanks }): SetRanks {
  return async function setRanks(request, by): Promise<RanksChange> {
    const previewed = await previewRanks(request);
    if (previewed.kind !== "previewed") return previewed;
    const { clan: before, ranks, preview } = previewed;
    if (!request.confirmed && preview.changed + preview.dropped > 0) return { kind: "unconfirmed", preview };
    // Ids are taken from the list that was read. If the list has changed since, the change is computed again,
    // or ends as `list_changed`.
    const clan = await clans.change(
      request.clanId,
      { ranks: (now) => (isSameList(now, before.ranks) ? ranks : null), renames: request.renames, moved: preview },
      by,
    );
    return clan ? { kind: "changed", clan } : setRanks(request, by);
  };
}

function isSameList(a: readonly Rank[], b: readonly Rank[]): boolean {
  return textOf(a) === textOf(b);
}

function textOf(ranks: readonly Rank[]): string {
  return JSON.stringify(ranks, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
}
