// R9: Express and PostgreSQL, one statement: the ledger row on conflict do nothing, the member's update. The strongest
// plain choice. Several awards in a call are one statement too, over arrays.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { Award, Call, env, listen, makeApp } from "./serve.ts";

const APPLY = {
  name: "apply",
  text: `WITH entry AS (
           INSERT INTO ledger (clan_id, platform_id, key, amount) VALUES ($1, $2, $3,
             $4) ON CONFLICT DO NOTHING RETURNING amount
         )
         UPDATE members SET xp = xp + entry.amount FROM entry WHERE clan_id = $1 AND platform_id = $2 RETURNING xp`,
};
/**
 * Members are locked in the order of their ids: two calls that wait for each other's would be a deadlock, and one of
 * them an error.
 */
const APPLY_MANY = {
  name: "apply-many",
  text: `WITH sent AS MATERIALIZED (
           SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[]) AS sent (platform_id, key, amount)
         ), locked AS MATERIALIZED (
           SELECT platform_id FROM members
           WHERE clan_id = $1 AND platform_id = ANY ($2::text[]) ORDER BY platform_id FOR UPDATE
         ), entry AS (
           INSERT INTO ledger (clan_id, platform_id, key, amount) SELECT $1, platform_id, key, amount FROM sent
           ON CONFLICT DO NOTHING RETURNING platform_id, amount
         ), total AS (
           SELECT platform_id, sum(amount)::bigint AS amount FROM entry GROUP BY platform_id
         )
         UPDATE members SET xp = xp + total.amount FROM locked JOIN total USING (platform_id)
         WHERE clan_id = $1 AND members.platform_id = locked.platform_id RETURNING members.platform_id, xp`,
};
const READ = { name: "read", text: "SELECT xp FROM members WHERE clan_id = $1 AND platform_id = $2" };

const pool = new pg.Pool({ connectionString: env("PG_URL"), max: 8 });
const app = makeApp();
app.post("/v0/clans/:clanId/members/:platformId/xp", async (req, res) => {
  const { clanId, platformId } = req.params;
  const { amount } = Award.parse(req.body);
  const values = [clanId, platformId, req.get("idempotency-key") ?? randomUUID(), amount];
  const applied = await pool.query<{ xp: string }>({ ...APPLY, values });
  // No row: the key is stored already, and the award counts once.
  const { rows } = applied.rowCount
    ? applied
    : await pool.query<{ xp: string }>({ ...READ, values: [clanId, platformId] });
  res.json({ platformId, xp: rows[0]?.xp });
});
app.post("/v0/clans/:clanId/awards", async (req, res) => {
  const { clanId } = req.params;
  const { awards } = Call.parse(req.body);
  const platformIds = awards.map(({ platformId }) => platformId);
  const values = [
    clanId,
    platformIds,
    awards.map((award) => award.idempotencyKey ?? randomUUID()),
    awards.map(({ amount }) => amount),
  ];
  const { rows } = await pool.query<{ platform_id: string; xp: string }>({ ...APPLY_MANY, values });
  const xpOf = new Map(rows.map((row) => [row.platform_id, row.xp]));
  // A member without a row had only keys that are stored already.
  const missing = [...new Set(platformIds)].filter((platformId) => !xpOf.has(platformId));
  const read = await Promise.all(
    missing.map((platformId) => pool.query<{ xp: string }>({ ...READ, values: [clanId, platformId] })),
  );
  for (const [index, platformId] of missing.entries()) xpOf.set(platformId, read[index]?.rows[0]?.xp ?? "0");
  res.json({
    applied: awards.length,
    results: platformIds.map((platformId, index) => ({ index, platformId, xp: xpOf.get(platformId) })),
  });
});
listen(app);
