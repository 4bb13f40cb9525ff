// The awards of the clan, newest first, and the reversal of those of a key, a match or a player.
import type { awardEndpoints, AwardsQuery, SelectedAwards } from "#contract/dashboard/awards.ts";
import { AwardListCursor, awardListCursor } from "#contract/page.ts";
import { reversalAccepted, reversalPreview } from "#contract/render.ts";
import type { ReversalBy } from "#domain/reversal.ts";
import { csvOf } from "#export/csv-text.ts";
import { entryRows, ROWS_PER_PAGE } from "#export/export-rows.ts";
import type { ActivityStore } from "#activity/ports.ts";
import type { KeyStore } from "#keys/ports.ts";
import { PEOPLE_LISTED_MAX } from "#members/bounds.ts";
import type { ListAwards } from "#members/list-awards.ts";
import type { AwardFilter, AwardList } from "#members/ports.ts";
import type { NameStore } from "#names/ports.ts";
import type { PreviewReversal } from "#reversals/preview-reversal.ts";
import { positionIn } from "../http/position-in.ts";
import type { Routes } from "../http/route.ts";
import type { ShowEntries } from "./show-entries.ts";
import type { SubmitForPerson } from "./submit-for-person.ts";

const AWARDS_PER_PAGE = 50;
const BEGINNING = new Date(0);

type ReadDeps = {
  awards: Pick<AwardList, "people">;
  listAwards: ListAwards;
  showEntries: ShowEntries;
  keys: Pick<KeyStore, "listOfClan">;
  names: Pick<NameStore, "read">;
};
type ReverseDeps = {
  activity: Pick<ActivityStore, "oldestAt">;
  previewReversal: PreviewReversal;
  submitForPerson: SubmitForPerson;
};
type AwardRoutes = Routes<typeof awardEndpoints>;

export function makeAwardRoutes(deps: ReadDeps & ReverseDeps): AwardRoutes {
  return { ...readRoutes(deps), ...reverseRoutes(deps) };
}

function readRoutes(deps: ReadDeps): Pick<AwardRoutes, "list-awards" | "export-awards" | "list-award-givers"> {
  const { awards, listAwards, showEntries, keys, names } = deps;

  async function filterOf(clanId: string, query: AwardsQuery): Promise<AwardFilter> {
    const { player, key, person, match, reason, atLeast, from, to } = query;
    return {
      platformIds: player === undefined ? null : await listAwards.findPlayers(clanId, player),
      by: key === undefined ? (person === undefined ? null : { actor: person }) : { keyId: key },
      matchId: match ?? null,
      reason: reason ?? null,
      atLeast: atLeast === undefined ? null : BigInt(atLeast),
      from: from === undefined ? null : new Date(from),
      to: to === undefined ? null : new Date(to),
    };
  }

  return {
    async "list-awards"({ params: { clanId }, query: { cursor, ...query } }) {
      const filter = await filterOf(clanId, query);
      const page = { limit: AWARDS_PER_PAGE, after: positionIn(AwardListCursor, cursor) };
      const { items, next } = await listAwards.page(clanId, filter, page);
      const [only] = filter.platformIds?.length === 1 ? filter.platformIds : [];
      const ids = new Set([...items.map(({ entry }) => entry.platformId), ...(only === undefined ? [] : [only])]);
      const [nameOf, shown] = await Promise.all([names.read(clanId, [...ids]), showEntries(clanId, items)]);
      const playerOf = (platformId: string) => ({ platformId, name: nameOf.get(platformId) ?? null });
      return {
        awards: shown.map((entry, index) => ({ ...entry, ...playerOf(items[index]?.entry.platformId ?? "") })),
        player: only === undefined ? null : playerOf(only),
        since: next?.at.toISOString() ?? null,
        nextCursor: next && awardListCursor(next),
      };
    },

    async "export-awards"({ params: { clanId }, query }) {
      const filter = await filterOf(clanId, query);
      const rows = entryRows(listAwards.all(clanId, filter, ROWS_PER_PAGE));
      return { fileName: `${clanId}-awards.csv`, text: csvOf("ledger", rows) };
    },

    async "list-award-givers"({ params: { clanId } }) {
      const [ofClan, people] = await Promise.all([keys.listOfClan(clanId), awards.people(clanId, PEOPLE_LISTED_MAX)]);
      return { keys: ofClan.map(({ keyId, name }) => ({ keyId, name })), people };
    },
  };
}

function reverseRoutes({
  activity,
  previewReversal,
  submitForPerson,
}: ReverseDeps): Pick<AwardRoutes, "preview-awards-reversal" | "reverse-awards"> {
  /** A key or a player without a time span: from the clan's first entry on. */
  async function selectionOf(
    clanId: string,
    { key, match, platformId = "", from, to }: SelectedAwards,
  ): Promise<ReversalBy> {
    const until = to === undefined ? {} : { to };
    if (match !== undefined) return { matchId: match, ...(from === undefined ? {} : { from }), ...until };
    const begin = from ?? ((await activity.oldestAt(clanId)) ?? BEGINNING).toISOString();
    return key === undefined ? { platformId, from: begin, ...until } : { keyId: key, from: begin, ...until };
  }

  return {
    async "preview-awards-reversal"({ params: { clanId }, query }) {
      return reversalPreview(await previewReversal(clanId, await selectionOf(clanId, query)));
    },

    async "reverse-awards"({ params: { clanId }, body: { reason, ...selected }, by }) {
      const selection = await selectionOf(clanId, selected);
      return reversalAccepted(await submitForPerson({ clanId, caller: by, by: selection, reason }));
    },
  };
}
