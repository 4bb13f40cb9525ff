// Stops all requests to Discord before it bans the address: it does so at 10,000 rejected requests within 10 minutes.
// Counted over all clans and notifiers, by MongoDB's clock; and for each clan, so that one does not stop the others.
import type { Collection } from "mongodb";
import type { Database } from "#mongo/database.ts";
import { discordStopOf, type DiscordStopDoc } from "#delivery/store/discord-stop-model.ts";
import { read, rewrite } from "#mongo/mongo-calls.ts";
import { isDuplicateKey } from "#mongo/mongo-errors.ts";
import type { DiscordStop } from "#delivery/ports.ts";

/** A tenth of what Discord permits. */
const REJECTED_MAX = 1_000;
const WINDOW_MS = 600_000;
const STOP_MS = 600_000;
const ALL = "discord";
/** Some mistakes of one clan: twenty such clans at the same time stop nobody else. */
const REJECTED_OF_CLAN_MAX = 50;

export function makeDiscordStop({ db }: Pick<Database, "db">): DiscordStop {
  const stops = (): Collection<DiscordStopDoc> => db().collection<DiscordStopDoc>("discord_stops");

  async function update(_id: string, ...stages: object[]): Promise<void> {
    const once = () => stops().updateOne({ _id }, stages, { upsert: true });
    await rewrite(async () => {
      try {
        await once();
      } catch (error) {
        // Another process has inserted the document.
        if (!isDuplicateKey(error)) throw error;
        await once();
      }
    });
  }

  const countRefusal = (_id: string, max: number): Promise<void> =>
    update(
      _id,
      { $set: { minutes: { $concatArrays: [otherMinutes, [{ at: thisMinute, count: { $add: [countedNow, 1] } }]] } } },
      { $set: { restUntil: { $cond: [{ $gt: [{ $sum: "$minutes.count" }, max] }, later(STOP_MS), rest] } } },
    );

  return {
    restMs: (clanId) =>
      read(async () => {
        const projection = { restMs: { $subtract: ["$restUntil", "$$NOW"] } };
        const which = { _id: { $in: [ALL, discordStopOf(clanId)] } };
        const found = await stops().find<{ restMs: bigint | number | null }>(which, { projection }).toArray();
        return Math.max(0, ...found.map(({ restMs }) => Number(restMs ?? 0)));
      }),

    async noteRefusal(clanId) {
      await countRefusal(ALL, REJECTED_MAX);
      await countRefusal(discordStopOf(clanId), REJECTED_OF_CLAN_MAX);
    },

    rest: (forMs) => update(ALL, { $set: { restUntil: { $max: [later(forMs), rest] }, minutes } }),
  };
}

const later = (ms: number) => ({ $add: ["$$NOW", Math.ceil(ms)] });
const rest = { $ifNull: ["$restUntil", null] };
const minutes = { $ifNull: ["$minutes", []] };
const thisMinute = { $dateTrunc: { date: "$$NOW", unit: "minute" } };
const isThisMinute = { $eq: ["$$this.at", thisMinute] };
const countedNow = {
  $sum: { $map: { input: minutes, in: { $cond: [isThisMinute, "$$this.count", 0] } } },
};
const otherMinutes = {
  $filter: {
    input: minutes,
    as: "this",
    cond: { $and: [{ $not: [isThisMinute] }, { $gt: ["$$this.at", { $subtract: ["$$NOW", WINDOW_MS] }] }] },
  },
};
