// R6: Express, express.json and zod, answering immediately: the least that an Express service costs.
import { Award, listen, makeApp } from "./serve.ts";

const app = makeApp();
app.post("/v0/clans/:clanId/members/:platformId/xp", (req, res) => {
  const { amount } = Award.parse(req.body);
  res.json({ platformId: req.params.platformId, xp: String(amount), rank: "Recruit" });
});
listen(app);
