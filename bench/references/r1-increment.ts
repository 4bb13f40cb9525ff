// R1: Express and the driver's findOneAndUpdate $inc. No ledger, no key, no lock: what one would write first.
import { Award, listen, makeApp, openMongo, type MemberDoc } from "./serve.ts";

const members = (await openMongo()).db().collection<MemberDoc>("members");
const app = makeApp();

app.post("/v0/clans/:clanId/members/:platformId/xp", async (req, res) => {
  const { clanId, platformId } = req.params;
  const { amount } = Award.parse(req.body);
  const member = await members.findOneAndUpdate(
    { _id: `${clanId}/${platformId}` },
    { $inc: { xp: amount }, $setOnInsert: { clanId, platformId } },
    { upsert: true, returnDocument: "after" },
  );
  res.json({ platformId, xp: String(member?.xp) });
});
listen(app);
