// What receivers have responded to events of a person who is erased: it may say anything about them. It goes with the
// content of the events.
import type { Collection } from "mongodb";
import type { Database } from "#mongo/database.ts";
import type { DeliveryDoc } from "#delivery/store/delivery-model.ts";
import type { DestinationDoc } from "#delivery/store/destination-model.ts";
import { rewrite } from "#mongo/mongo-calls.ts";

/** `numbers`: of events of the clan, at most some thousands. */
export async function eraseResponses(
  { db }: Pick<Database, "db">,
  clanId: string,
  numbers: readonly number[],
): Promise<void> {
  const destinations: Collection<DestinationDoc> = db().collection("destinations");
  const deliveries: Collection<DeliveryDoc> = db().collection("deliveries");
  await rewrite(async () => {
    const docs = await destinations.find({ clanId }, { projection: { _id: 1 } }).toArray();
    for (const { _id: destinationId } of docs) {
      const these = { _id: { $in: numbers.map((n) => ({ destinationId, n })) } };
      await deliveries.updateMany(these, { $set: { "attempts.$[].response": null } });
    }
  });
}
