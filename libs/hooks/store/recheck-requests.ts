// After an erasure, requests of Roblox that a person has yet to decide on no longer need to name the member.
import type { Database } from "#mongo/database.ts";
import type { RequestDoc } from "#hooks/store/request-model.ts";
import { rewrite } from "#mongo/mongo-calls.ts";
import type { RecheckRequests } from "#erasure/ports.ts";

export function makeRecheckRequests({ db }: Pick<Database, "db">): RecheckRequests {
  return ({ clanId, platformId }) =>
    rewrite(async () => {
      const ofClans = clanId === null ? {} : { clanIds: { $in: [clanId, null] } };
      const held = { status: "held" as const, platformId, ...ofClans };
      await db()
        .collection<RequestDoc>("erasure_requests")
        .updateMany(held, { $set: { status: "waiting" } });
    });
}
