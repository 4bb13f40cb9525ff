// The end of every fault test: callers' memories, ledger and books must agree. Whatever does not is named, and all of
// it is counted.
import { appendFileSync } from "node:fs";
import { awardIdOf } from "#contract/award-id.ts";
import type { Entry } from "#domain/entry.ts";
import { makeReconcileStore } from "#operations/store/reconcile-store.ts";
import type { Database } from "#mongo/database.ts";
import { entryOfDoc, type EntryDoc } from "#ledger/store/entry-model.ts";
import { clanOfDoc, type ClanDoc } from "#clans/store/clan-model.ts";
import type { BatchDoc } from "#batches/store/batch-model.ts";
import { makeReconcile } from "#operations/reconcile.ts";
import { membershipDisagreements, reversalDisagreements } from "../support/corrections-oracle.ts";
import { eventDisagreements } from "../support/events-oracle.ts";
import { gainDisagreements } from "../support/gains-oracle.ts";
import { batchDisagreements, disagreements, type SentAward, type SentBatch } from "../support/oracle.ts";
import type { Seen } from "./load.ts";

/** A round as `npm run test:faults` adds them up. */
export type Round = {
  fault: string;
  acknowledged: number;
  unknown: number;
  lost: number;
  doubled: number;
  other: number;
};

async function ledgerOf(database: Pick<Database, "db">, clanId: string): Promise<Entry[]> {
  return (await database.db().collection<EntryDoc>("ledger").find({ "_id.clanId": clanId }).toArray()).map(entryOfDoc);
}

/**
 * Empty if every guarantee to this clan's callers was fulfilled, under rules that did not change. `fault`: its name in
 * the table.
 */
export async function violations(
  fault: string,
  database: Pick<Database, "db" | "interruptions">,
  clanId: string,
  { awards, batches, reversals = [], memberships = [] }: Pick<Seen, "awards" | "batches"> & Partial<Seen>,
): Promise<string[]> {
  const ledger = await ledgerOf(database, clanId);
  const clan = await database.db().collection<ClanDoc>("clans").findOne({ _id: clanId });
  const closed = await database
    .db()
    .collection<EntryDoc>("ledger")
    .countDocuments({ "_id.clanId": clanId, erasing: true });
  const { differences } = await makeReconcile({ store: makeReconcileStore(database), awardIdOf })({ clanId });
  const found = [
    ...disagreements(
      awards,
      ledger.filter((entry) => entry.batchId === undefined),
    ),
    ...batchDisagreements(await withIds(database, clanId, batches), ledger),
    ...reversalDisagreements(reversals, ledger),
    ...(clan ? gainDisagreements(ledger, () => clanOfDoc(clan)) : ["the clan is gone"]),
    ...membershipDisagreements(memberships, ledger),
    ...(await eventDisagreements(database, clanId, ledger)),
    ...(closed > 0 ? [`${closed} chains are still closed by an erasure`] : []),
    ...differences.map((difference) => JSON.stringify(difference)),
  ];
  count(fault, awards, batches, found);
  return found;
}

async function withIds(database: Pick<Database, "db">, clanId: string, batches: Seen["batches"]): Promise<SentBatch[]> {
  const records = await database
    .db()
    .collection<BatchDoc>("batches")
    .find({ clanId }, { projection: { idempotencyKey: 1 } })
    .toArray();
  const ids = new Map(records.map((record) => [record.idempotencyKey, record._id]));
  return batches.map(({ key, ...batch }) => ({ ...batch, batchId: ids.get(key) ?? `without a record, key ${key}` }));
}

function count(fault: string, awards: readonly SentAward[], batches: Seen["batches"], found: readonly string[]): void {
  const report = process.env["FAULTS_REPORT"];
  if (!report) return;
  const lost = found.filter((text) => /not applied|is not reversed/.test(text)).length;
  const doubled = found.filter((text) =>
    /applied \d+ times|applied anew more than once|awards, \d+ entries|that was reversed/.test(text),
  ).length;
  const round: Round = {
    fault,
    acknowledged:
      awards.filter((award) => award.answers.some(({ status }) => status === 200)).length +
      batches.reduce((sum, batch) => sum + batch.awards.length, 0),
    unknown: awards.filter((award) =>
      award.answers.some(({ status, code }) => status === 0 || code === "outcome_unknown"),
    ).length,
    lost,
    doubled,
    other: found.length - lost - doubled,
  };
  appendFileSync(report, `${JSON.stringify(round)}\n`);
}
