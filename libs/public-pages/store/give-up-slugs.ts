// Takes from a clan the slugs that it does not use any more, in the transaction of the change, and reserves them: no
// other clan gets them for a time.
import type { ClientSession } from "mongodb";
import { SLUG_RESERVED_DAYS, SLUGS_RESERVED_MAX } from "#domain/public-page.ts";
import type { Database } from "#mongo/database.ts";
import type { SlugDoc } from "#public-pages/store/slug-model.ts";

/** By MongoDB's clock, like its expiry. */
const KEPT = [{ $set: { keptUntil: { $dateAdd: { startDate: "$$NOW", unit: "day", amount: SLUG_RESERVED_DAYS } } } }];

/** All but `used`. */
export async function giveUpSlugs(
  { db }: Pick<Database, "db">,
  { clanId, used }: { clanId: string; used: string | null },
  session: ClientSession,
): Promise<void> {
  const slugs = db().collection<SlugDoc>("slugs");
  const unused = used === null ? {} : { _id: { $ne: used } };
  await slugs.updateMany({ clanId, keptUntil: null, ...unused }, KEPT, { session });
  const others = slugs.find({ clanId, keptUntil: { $ne: null } }, { session, projection: { _id: 1 } });
  const ids = (await others.sort({ keptUntil: -1 }).skip(SLUGS_RESERVED_MAX).toArray()).map(({ _id }) => _id);
  if (ids.length > 0) await slugs.deleteMany({ _id: { $in: ids } }, { session });
}
