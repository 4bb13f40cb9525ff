// R11: Express and one insert per call into a ledger that has no index but `_id`, which is the key. No members, no
// XP, no checks: the least that counting each award once costs with MongoDB and an insert for each call.
import { randomUUID } from "node:crypto";
import { Call, listen, makeApp, openMongo } from "./serve.ts";

const ledger = (await openMongo()).db().collection<{ _id: string; amount: number }>("ledger");
const app = makeApp();
app.post("/v0/clans/:clanId/awards", async (req, res) => {
  const { clanId } = req.params;
  const { awards } = Call.parse(req.body);
  await ledger.insertMany(
    awards.map(({ platformId, amount, idempotencyKey = randomUUID() }) => ({
      _id: `${clanId}/${platformId}/${idempotencyKey}`,
      amount,
    })),
    { ordered: false },
  );
  res.json({ applied: awards.length, results: awards.map(({ platformId }, index) => ({ index, platformId })) });
});
listen(app);
