// R2: the naive twin of this service: a Redis lock per member with polling, mongoose read, ledger insert, update.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import mongoose, { Schema } from "mongoose";
import { Award, durable, env, listen, makeApp } from "./serve.ts";

const LOCK_TTL_MS = 10_000;
/** Between two tries for a lock, with as much again at random: less costs more Redis than it gains. */
const POLL_MS = 10;
const RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

const redis = new Redis(env("REDIS_URL"));
await mongoose.connect(env("MONGO_URL"), { writeConcern: durable });
const memberSchema = new Schema(
  { _id: String, clanId: String, platformId: String, xp: Number, seq: Number },
  { versionKey: false },
);
const entrySchema = new Schema(
  { memberId: String, key: String, amount: Number, xp: Number, at: Date },
  { versionKey: false },
);
entrySchema.index({ memberId: 1, key: 1 }, { unique: true });
const Member = mongoose.model("member", memberSchema, "members");
const Entry = mongoose.model("entry", entrySchema, "ledger");
await Entry.createIndexes();

const app = makeApp();
app.post("/v0/clans/:clanId/members/:platformId/xp", async (req, res) => {
  const { clanId, platformId } = req.params;
  const { amount } = Award.parse(req.body);
  const memberId = `${clanId}/${platformId}`;
  const xp = await locked(memberId, () => apply(memberId, amount, req.get("idempotency-key") ?? randomUUID()));
  res.json({ platformId, xp: String(xp) });
});
listen(app);

async function apply(memberId: string, amount: number, key: string): Promise<number> {
  const replayed = await Entry.findOne({ memberId, key });
  if (replayed) return replayed.xp ?? 0;
  const member = (await Member.findById(memberId)) ?? new Member({ _id: memberId, xp: 0 });
  const xp = (member.xp ?? 0) + amount;
  await Entry.create({ memberId, key, amount, xp, at: new Date() });
  member.xp = xp;
  await member.save();
  return xp;
}

async function locked<T>(memberId: string, act: () => Promise<T>): Promise<T> {
  const [name, token] = [`lock:${memberId}`, randomUUID()];
  while ((await redis.set(name, token, "PX", LOCK_TTL_MS, "NX")) === null)
    await pause(POLL_MS + Math.random() * POLL_MS);
  try {
    return await act();
  } finally {
    await redis.eval(RELEASE, 1, name, token);
  }
}
