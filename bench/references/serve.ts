// What every reference has around what it is: its address from the environment, Express with a JSON body, an end at
// SIGTERM.
import express, { type Express } from "express";
import { MongoClient } from "mongodb";
import { z } from "zod";

export type MemberDoc = { _id: string; clanId: string; platformId: string; xp: number; seq: number };

export const Award = z.strictObject({ amount: z.int().min(-1_000_000).max(1_000_000) });
export const Call = z.strictObject({
  awards: z
    .array(
      z.strictObject({
        platformId: z.string().regex(/^[A-Za-z0-9._:@|-]{1,64}$/),
        amount: Award.shape.amount,
        idempotencyKey: z.string().min(1).max(255).optional(),
      }),
    )
    .min(1)
    .max(100),
});

/** The same durability for everyone who writes to MongoDB. */
export const durable = { w: "majority", journal: true } as const;

export function env(name: "PORT" | "MONGO_URL" | "REDIS_URL" | "PG_URL"): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

/** The driver alone, connected. */
export async function openMongo(): Promise<MongoClient> {
  const client = new MongoClient(env("MONGO_URL"), { writeConcern: durable });
  return client.connect();
}

export function makeApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json());
  return app;
}

/** Serves until SIGTERM, whose default ends the process. */
export function listen(app: { listen(port: number, host: string): unknown }): void {
  app.listen(Number(env("PORT")), "127.0.0.1");
}
