// The audit record of an import that fails, or that changes names alone, against MongoDB.
import { expect, test } from "vitest";
import { AppError } from "#kernel/app-error.ts";
import { systemClock } from "#process/clock.ts";
import { makeIds } from "#process/ids.ts";
import { digest } from "#process/secrets.ts";
import { makeAuditStore } from "#audit/store/audit-store.ts";
import { makeLedgerStore } from "#ledger/store/ledger-store.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { IMPORT_LINES_TOGETHER } from "#members/bounds.ts";
import { makeDryRun } from "#members/foresee-awards.ts";
import { makeOpenImportRecord } from "#members/import-log.ts";
import { makeImportMembers, type ImportLine } from "#members/import-members.ts";
import { testActor } from "../../support/actor.ts";
import { useWorld } from "../../support/use-api.ts";

const world = await useWorld();
const audit = makeAuditStore(world.database);
const names = makeNameStore(world.database);
const openCheck = () => makeDryRun({ store: makeLedgerStore(world.database), names, clock: systemClock });
const openRecord = makeOpenImportRecord({
  audit,
  ids: makeIds(systemClock),
  openCheck: () => openCheck().settle,
});

async function* linesOf(count: number, facts: Partial<ImportLine>): AsyncGenerator<ImportLine> {
  const line = { xp: null, joins: false, appointedRank: null, reason: null, key: null, name: null };
  for (let index = 0; index < count; index += 1) yield { ...line, line: index + 2, platformId: `p${index}`, ...facts };
}

const ANY = { actor: null, from: null, to: null };
const recordsOf = async (clanId: string) =>
  (await audit.list({ ...ANY, clanId, action: "member.import" }, { limit: 10, after: null })).items;

test("has the counts of what was imported before the import failed", async () => {
  const { clan } = await world.makeClan();
  const { settle } = openCheck();
  let groups = 0;
  const failing = makeImportMembers({
    names,
    digest,
    openRecord,
    settle: (...args) => {
      groups += 1;
      return groups === 1 ? settle(...args) : Promise.reject(new AppError("unavailable", "no database"));
    },
  });
  const lines = linesOf(2 * IMPORT_LINES_TOGETHER, { xp: 5n });
  await expect(failing({ clan, name: "half", silent: true }, lines, testActor)).rejects.toThrow("no database");
  const imported = IMPORT_LINES_TOGETHER;
  expect(await recordsOf(clan.clanId)).toMatchObject([
    { action: "member.import", target: "half", after: { lines: imported, imported, xpGiven: String(5 * imported) } },
  ]);
});

test("is written for names alone, once they change, and never for what would change nothing", async () => {
  const { clan } = await world.makeClan({ autoClan: false });
  const { settle } = openCheck();
  const run = (lines: AsyncGenerator<ImportLine>) =>
    makeImportMembers({ names, digest, openRecord, settle })({ clan, name: "names", silent: true }, lines, testActor);
  // Players without a membership.
  expect(await run(linesOf(3, { xp: 5n }))).toMatchObject({ imported: 0, skipped: 3 });
  expect(await recordsOf(clan.clanId)).toEqual([]);
  expect(await run(linesOf(3, { name: "Nova" }))).toMatchObject({ imported: 3 });
  expect(await run(linesOf(3, { name: "Nova" }))).toMatchObject({ imported: 0, repeated: 3 });
  expect(await recordsOf(clan.clanId)).toMatchObject([{ action: "member.import", after: { imported: 3 } }]);
});
