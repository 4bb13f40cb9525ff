// R3: R1 and a transaction for each request, with a ledger and a unique key: exactly once, as one would build it.
import { randomUUID } from "node:crypto";
import { Award, durable, listen, makeApp, openMongo, type MemberDoc } from "./serve.ts";

type EntryDoc = { memberId: string; key: string; amount: number; xp: number; at: Date };
const DUPLICATE_KEY = 11_000;

const client = await openMongo();
const members = client.db().collection<MemberDoc>("members");
const ledger = client.db().collection<EntryDoc>("ledger");
await ledger.createIndex({ memberId: 1, key: 1 }, { unique: true }, {});

const app = makeApp();
app.post("/v0/clans/:clanId/members/:platformId/xp", async (req, res) => {
  const { clanId, platformId } = req.params;
  const { amount } = Award.parse(req.body);
  const xp = await applyOnce(`${clanId}/${platformId}`, amount, req.get("idempotency-key") ?? randomUUID());
  res.json({ platformId, xp: String(xp) });
});
listen(app);

async function applyOnce(memberId: string, amount: number, key: string): Promise<number> {
  const session = client.startSession();
  try {
    return await session.withTransaction(
      async () => {
        const update = { $inc: { xp: amount } };
        const member = await members.findOneAndUpdate({ _id: memberId }, update, {
          session,
          upsert: true,
          returnDocument: "after",
        });
        const xp = member?.xp ?? amount;
        await ledger.insertOne({ memberId, key, amount, xp, at: new Date() }, { session });
        return xp;
      },
      { writeConcern: durable },
    );
  } catch (error) {
    const replayed = isDuplicate(error) ? await ledger.findOne({ memberId, key }) : null;
    if (!replayed) throw error;
    return replayed.xp;
  } finally {
    await session.endSession();
  }
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DUPLICATE_KEY;
}
