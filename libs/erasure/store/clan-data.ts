// What each collection holds of a clan, by its name. A new collection does not compile without its line here.
import { BSON } from "mongodb";
import { MODERATORS_OF } from "#domain/moderator.ts";
import { discordStopOf } from "#delivery/store/discord-stop-model.ts";
import { between } from "#events/store/positions.ts";
import { idsOfClan } from "#ledger/store/ledger-filters.ts";
import { idsUnder } from "#mongo/ranges.ts";

/** `keyIds`, `destinationIds`: of all that the clan had, because other documents name these and not the clan. */
export type ClanIds = { clanId: string; keyIds: readonly string[]; destinationIds: readonly string[] };
type Filter = Record<string, unknown>;

const { MinKey, MaxKey } = BSON;
const byClan = ({ clanId }: ClanIds): Filter => ({ clanId });

/**
 * The documents of a clan, in the order of their deletion: first what makes other processes write more. Null: the
 * collection holds none, or they end with the clan's own document in one transaction (clan-deletion-store.ts).
 */
export const clanData = {
  clans: null,
  // They outlive the clan for some time (slug-model.ts), and hold nothing of members.
  slugs: null,
  accounts: null,
  sessions: null,
  sign_in_challenges: null,
  sign_in_attempts: null,
  notifiers: null,
  // It outlives the clan, and holds nothing of members.
  audit: null,
  deletions: null,
  // Those of several clans stay for the others.
  hooks: ({ clanId }) => ({ clanIds: [clanId] }),
  erasure_requests: ({ clanId }) => ({ clanIds: [clanId] }),
  destinations: byClan,
  discord_stops: ({ clanId }) => ({ _id: discordStopOf(clanId) }),
  syncs: ({ destinationIds }) => ({ destinationId: { $in: destinationIds } }),
  calls: ({ destinationIds }) => ({ destinationId: { $in: destinationIds } }),
  deliveries: ({ destinationIds }) => ({ "_id.destinationId": { $in: destinationIds } }),
  // Without its record, an erasure of a member ends.
  erasures: byClan,
  batches: byClan,
  reversals: byClan,
  ledger: ({ clanId }) =>
    idsOfClan(clanId, {
      $gt: { clanId, platformId: new MinKey(), seq: new MinKey() },
      $lt: { clanId, platformId: new MaxKey(), seq: new MaxKey() },
    }),
  members: byClan,
  boards: ({ clanId }) => ({ _id: idsUnder(clanId) }),
  periods: byClan,
  standings: byClan,
  gains: byClan,
  activity: ({ clanId }) => ({
    _id: { $gt: { clanId, hour: new MinKey() }, $lt: { clanId, hour: new MaxKey() } },
  }),
  names: ({ clanId }) => ({ _id: idsUnder(clanId) }),
  outbox: byClan,
  events: ({ clanId }) => between(clanId, -Infinity, Infinity),
  budgets: ({ clanId, keyIds }) => ({
    $or: [`${MODERATORS_OF}${clanId}`, ...keyIds].map((id) => ({ _id: idsUnder(id) })),
  }),
  // Last: a caller gets `key_revoked` meanwhile.
  keys: byClan,
} as const satisfies Record<string, ((clan: ClanIds) => Filter) | null>;
