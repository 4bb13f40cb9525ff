// R9: Express and PostgreSQL, one statement: the ledger row on conflict do nothing, the member's update. The strongest plain choice.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { Award, env, listen, makeApp } from "./serve.ts";

const APPLY = {
  name: "apply",
  text: `WITH entry AS (
           INSERT INTO ledger (clan_id, platform_id, key, amount) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING amount
         )
         UPDATE members SET xp = xp + entry.amount FROM entry WHERE clan_id = $1 AND platform_id = $2 RETURNING xp`,
};
const READ = { name: "read", text: "SELECT xp FROM members WHERE clan_id = $1 AND platform_id = $2" };

const pool = new pg.Pool({ connectionString: env("PG_URL"), max: 8 });
const app = makeApp();
app.post("/v0/clans/:clanId/members/:platformId/xp", async (req, res) => {
  const { clanId, platformId } = req.params;
  const { amount } = Award.parse(req.body);
  const values = [clanId, platformId, req.get("idempotency-key") ?? randomUUID(), amount];
  const applied = await pool.query<{ xp: string }>({ ...APPLY, values });
  // No row: the key stands already, and the award counts once.
  const { rows } = applied.rowCount ? applied : await pool.query<{ xp: string }>({ ...READ, values: [clanId, platformId] });
  res.json({ platformId, xp: rows[0]?.xp });
});
listen(app);
