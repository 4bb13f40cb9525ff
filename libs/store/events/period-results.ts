// Events about final periods, which name the first members: an erasure deletes the member from them.
import type { MemberRef } from "#domain/member-id.ts";
import type { Database } from "#store/database.ts";
import { MAJORITY } from "#store/events/positions.ts";
import { read, rewrite } from "#store/mongo-calls.ts";

export function makePeriodResults({ db }: Pick<Database, "db">) {
  const naming = ({ clanId, platformId }: MemberRef) => {
    return { "_id.clanId": clanId, type: "period.final", "data.top.platformId": platformId };
  };
  async function pull(collection: string, q: object, $pull: object): Promise<void> {
    await rewrite(() => db().command({ update: collection, updates: [{ q, u: { $pull }, multi: true }] }));
  }

  return {
    /** From those that have no numbers yet. */
    async eraseUnnumbered({ clanId, platformId }: MemberRef): Promise<void> {
      const named = { clanId, "event.data.top.platformId": platformId };
      await pull("outbox", named, { "event.data.top": { platformId } });
    },

    /** The ids of those that name the member. */
    listNaming: (member: MemberRef): Promise<string[]> =>
      read(async () => {
        const options = { ...MAJORITY, projection: { _id: 0, eventId: 1 } } as const;
        const found = db().collection<{ eventId: string }>("events").find(naming(member), options);
        return (await found.toArray()).map(({ eventId }) => eventId);
      }),

    async eraseFrom(member: MemberRef, eventIds: readonly string[]): Promise<void> {
      const { platformId } = member;
      const among = { ...naming(member), eventId: { $in: [...eventIds] } };
      await pull("events", among, { "data.top": { platformId } });
    },
  };
}
