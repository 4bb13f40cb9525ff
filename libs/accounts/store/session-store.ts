// Sessions of the dashboard.
import type { SessionDoc } from "#accounts/store/session-model.ts";
import type { Database } from "#mongo/database.ts";
import { read, rewrite, write } from "#mongo/mongo-calls.ts";
import type { SessionStore } from "#accounts/ports.ts";

export function makeSessionStore({ db }: Pick<Database, "db">): SessionStore {
  const sessions = () => db().collection<SessionDoc>("sessions");
  return {
    async add({ hash, ...facts }) {
      await rewrite(() => sessions().insertOne({ _id: hash, ...facts }));
    },
    async read(hash) {
      const doc = await read(() => sessions().findOne({ _id: hash }));
      if (!doc) return null;
      const { _id, ...facts } = doc;
      return { hash: _id, ...facts };
    },
    async touch(hash, times) {
      await rewrite(() => sessions().updateOne({ _id: hash }, { $set: times }));
    },
    async remove(hash) {
      await write(() => sessions().deleteOne({ _id: hash }));
    },
    async generations(now) {
      const newest = { _id: "$accountName", generation: { $max: "$generation" } };
      const found = await read(() =>
        sessions()
          .aggregate<{ _id: string; generation: number }>([{ $match: { expiresAt: { $gt: now } } }, { $group: newest }])
          .toArray(),
      );
      return new Map(found.map(({ _id, generation }) => [_id, generation]));
    },
  };
}
