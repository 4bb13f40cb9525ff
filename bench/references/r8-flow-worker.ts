// R8, its worker: applies each child job as R1 applies a request, and ends the parent when all are done.
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { env, openMongo, blockingRedis, type MemberDoc } from "./serve.ts";

const AWARDS_AT_ONCE = 128;
const BATCHES_AT_ONCE = 8;
const members = (await openMongo()).db().collection<MemberDoc>("members");
const connection = (): Redis => new Redis(env("REDIS_URL"), blockingRedis);

const workers = [
  new Worker<{ memberId: string; amount: number }>(
    "r8-awards",
    async ({ data }) => {
      const update = { $inc: { xp: data.amount } };
      const member = await members.findOneAndUpdate({ _id: data.memberId }, update, {
        upsert: true,
        returnDocument: "after",
      });
      return String(member?.xp);
    },
    { connection: connection(), concurrency: AWARDS_AT_ONCE },
  ),
  new Worker("r8-batches", async (job) => Object.keys(await job.getChildrenValues()).length, {
    connection: connection(),
    concurrency: BATCHES_AT_ONCE,
  }),
];
for (const worker of workers) worker.on("error", (error) => process.stderr.write(`${error.message}\n`));
