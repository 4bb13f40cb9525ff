// R8, its API: a batch becomes a BullMQ flow with a child job for each award, answered when the parent is done.
import { FlowProducer, QueueEvents } from "bullmq";
import { Redis } from "ioredis";
import { Batch, env, listen, makeApp, blockingRedis } from "./serve.ts";

const WAIT_MS = 60_000;
const flows = new FlowProducer({ connection: new Redis(env("REDIS_URL"), blockingRedis) });
const events = new QueueEvents("r8-batches", { connection: new Redis(env("REDIS_URL"), blockingRedis) });
await events.waitUntilReady();

const app = makeApp();
app.post("/v0/clans/:clanId/xp", async (req, res) => {
  const { awards } = Batch.parse(req.body);
  const children = awards.map(({ platformId, amount }) => ({
    name: "award",
    queueName: "r8-awards",
    data: { memberId: `${req.params.clanId}/${platformId}`, amount },
    opts: { removeOnComplete: true },
  }));
  const { job } = await flows.add({
    name: "batch",
    queueName: "r8-batches",
    children,
    opts: { removeOnComplete: { count: 1_000 } },
  });
  res.json({ applied: await job.waitUntilFinished(events, WAIT_MS) });
});
listen(app);
