// The steps of workers that process Roblox's erasure requests. Several workers may process the same one: each step
// changes only requests of the status that it begins with.
import { ROBLOX } from "#domain/erasure-hook.ts";
import { makeAudited } from "#audit/store/audited.ts";
import type { Database } from "#mongo/database.ts";
import { ended, type RequestDoc } from "#hooks/store/request-model.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import type { RequestSteps } from "#hooks/ports.ts";

export function makeRequestSteps({ db }: Pick<Database, "db">): RequestSteps {
  const audited = makeAudited({ db });
  const requests = () => db().collection<RequestDoc>("erasure_requests");
  const oldest = (status: RequestDoc["status"], limit: number) =>
    requests().find({ status }).sort({ receivedAt: 1 }).limit(limit).toArray();

  return {
    waiting: (limit) =>
      read(async () =>
        (await oldest("waiting", limit)).map(({ _id, hookId, clanIds, platformId = null, isReleased = false }) => ({
          requestId: _id,
          hookId,
          clanIds,
          platformId,
          isReleased,
        })),
      ),
    running: (limit) =>
      read(async () =>
        (await oldest("running", limit)).map(({ _id, platformId = "", erasures = [] }) => ({
          requestId: _id,
          platformId,
          erasures,
        })),
      ),

    begin: ({ requestId, erasures }, clans) =>
      rewrite(async () => {
        const begun = { $set: { status: "running" as const, erasures: [...erasures], clans: [...clans] } };
        return (await requests().updateOne({ _id: requestId, status: "waiting" }, begun)).modifiedCount === 1;
      }),
    hold: (requestIds) =>
      rewrite(async () => {
        const these = { _id: { $in: [...requestIds] }, status: "waiting" as const };
        await requests().updateMany(these, { $set: { status: "held" } });
      }),
    finishUnknown: (requestIds) =>
      rewrite(async () => {
        await requests().updateMany({ _id: { $in: [...requestIds] }, status: "waiting" }, ended("done"));
      }),

    finish: (requestId) =>
      audited(ROBLOX, async (session, note) => {
        const running = { _id: requestId, status: "running" as const };
        const doc = await requests().findOneAndUpdate(running, ended("done"), { session });
        const { erasures = [], clans = [] } = doc ?? {};
        // Without the platform ID, because the audit log outlives it.
        for (const clanId of clans) {
          const { erasureId = "" } = erasures.find((one) => one.clanId === null || one.clanId === clanId) ?? {};
          await note({ action: "member.erase", clanId, target: erasureId, before: null, after: { erasureId } });
        }
      }),
  };
}
