// Challenges for people who sign in or change their ways to sign in. Each challenge can be answered once.
import type { ChallengeDoc } from "#accounts/store/challenge-model.ts";
import type { Database } from "#mongo/database.ts";
import { rewrite, write } from "#mongo/mongo-calls.ts";
import type { ChallengeStore } from "#accounts/ports.ts";

export function makeChallengeStore({ db }: Pick<Database, "db">): ChallengeStore {
  const challenges = () => db().collection<ChallengeDoc>("sign_in_challenges");
  return {
    async add({ hash, ...facts }) {
      await rewrite(() => challenges().insertOne({ _id: hash, ...facts }));
    },
    take(hash, kind, now) {
      return write(async () => {
        const doc = await challenges().findOneAndDelete({ _id: hash, kind, expiresAt: { $gt: now } });
        if (!doc) return null;
        const { _id, ...facts } = doc;
        return { hash: _id, ...facts };
      });
    },
  };
}
