// What the database keeps, in numbers that any change would move: so that "it changed nothing" can be said of a
// request.
import type { World } from "../support/world.ts";

export type Stored = {
  /** Entries of single awards: each is one 200 that was no replay. */ entries: number;
  batches: number;
  /** Clans and keys as they are, but for when keys were used. */ settings: string;
};

export async function readStored({ database }: World): Promise<Stored> {
  const db = database.db();
  const [entries, batches, clans, keys] = await Promise.all([
    // What batches and reversals write comes later, from a worker.
    db.collection("ledger").countDocuments({ batchId: { $exists: false }, kind: { $ne: "reversal" } }),
    db.collection("batches").countDocuments(),
    db.collection("clans").find().sort({ _id: 1 }).toArray(),
    db.collection("keys").find().project({ lastUsedAt: 0 }).sort({ _id: 1 }).toArray(),
  ]);
  const settings = JSON.stringify([clans, keys], (_, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  return { entries, batches, settings };
}

/** Members that differ from their entries: none, unless something changed XP without the committer. */
export async function membersBesideTheirEntries({ database }: World): Promise<unknown[]> {
  const entriesOfMember = {
    from: "ledger",
    let: { clanId: "$clanId", platformId: "$platformId" },
    pipeline: [
      {
        $match: {
          $expr: { $and: [{ $eq: ["$_id.clanId", "$$clanId"] }, { $eq: ["$_id.platformId", "$$platformId"] }] },
        },
      },
      { $group: { _id: null, count: { $sum: 1 }, xp: { $sum: "$applied" } } },
    ],
    as: "books",
  };
  const members = await database
    .db()
    .collection("members")
    .aggregate([{ $lookup: entriesOfMember }])
    .toArray();
  return members.filter(
    ({ xp, seq, books: [book] }) =>
      book === undefined || Number(book.count) !== Number(seq) || BigInt(book.xp) !== BigInt(xp),
  );
}
