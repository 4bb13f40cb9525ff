// Events about final periods, which name the first members: an erasure deletes the member from them.
import type { MemberRef } from "#domain/member-id.ts";
import type { Database } from "#mongo/database.ts";
import type { EventDoc } from "#events/store/event-model.ts";
import { POSITION, positionOf } from "#events/store/positions.ts";
import { MAJORITY, read, rewrite } from "#mongo/mongo-calls.ts";
import type { EventPosition } from "#events/ports.ts";

export function makePeriodResults({ db }: Pick<Database, "db">) {
  const naming = ({ clanId, platformId }: MemberRef) => {
    return { "_id.clanId": clanId, type: "period.final" as const, "data.top.platformId": platformId };
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

    /** Those that name the member: a few for each board. */
    listNaming: (member: MemberRef): Promise<EventPosition[]> =>
      read(async () => {
        const found = db()
          .collection<EventDoc>("events")
          .find(naming(member), { ...MAJORITY, projection: POSITION });
        return (await found.toArray()).map(positionOf);
      }),

    eraseFrom: (member: MemberRef, among: object): Promise<void> =>
      pull("events", { ...naming(member), ...among }, { "data.top": { platformId: member.platformId } }),
  };
}
