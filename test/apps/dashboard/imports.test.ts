// The import of members from a file in the dashboard: what it does, once, and what it rejects as a whole.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { UPLOAD_BYTES_MAX, UPLOAD_LINES_MAX } from "#contract/dashboard/imports.ts";
import { useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();

async function newClan(name: string) {
  const { clanId, api, person: owner } = await dashboard.newClan(name);
  const path = `${api}/members/import`;
  const send = (csv: string, options = {}) => owner.post(path, { csv, name: "import", dryRun: false, ...options });
  const xpOf = async (platformId: string) =>
    (await owner.get(`/api/clans/${clanId}/members/${platformId}`)).body.member?.xp;
  const entries = () =>
    dashboard.world.database.db().collection<any>("ledger").countDocuments({ "_id.clanId": clanId });
  return { clanId, owner, path, send, xpOf, entries };
}

const CSV = `platformId,xp,membership,appointedRank,name,reason
ann,150,,,Ann,"from the old bot"
ben,1.5,,,,
cleo,,true,Officer,,
ben,20,true,,,
ben,20,true,,,
`;

test("a check reports what the import then does, and changes nothing; each line counts once, as by the command line", async () => {
  const { clanId, owner, send, xpOf, entries } = await newClan("ona");
  const faults = [{ line: 3, detail: expect.stringMatching(/^xp is not an integer/) }];
  const notes = [{ line: 6, detail: expect.stringMatching(/^repeated in this file: line 5/) }];
  const counts = { lines: 5, imported: 3, repeated: 0, repeatedInFile: 1, shortened: 0, skipped: 1 };
  const report = { ...counts, faults, notes };
  expect((await send(CSV, { dryRun: true })).body).toEqual(report);
  expect([await entries(), await xpOf("ann")]).toEqual([0, undefined]);
  expect((await owner.get(`/api/clans/${clanId}/members?search=Ann`)).body.members).toEqual([]);

  expect((await send(CSV)).body).toEqual(report);
  expect([await xpOf("ann"), await xpOf("ben")]).toEqual(["150", "20"]);
  const { member } = (await owner.get(`/api/clans/${clanId}/members/cleo`)).body;
  expect(member).toMatchObject({ rank: "Officer", membership: { since: expect.any(String) } });
  expect((await owner.get(`/api/clans/${clanId}/members?search=Ann`)).body.members).toMatchObject([{ name: "Ann" }]);
  const stored = await entries();
  expect((await send(CSV)).body).toMatchObject({ imported: 0, repeated: 3, skipped: 1 });

  const folder = await mkdtemp(join(tmpdir(), "clanxp-import-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "members.csv"), CSV);
  const { answer } = await dashboard.cli.json("import", clanId, join(folder, "members.csv"));
  expect(answer).toMatchObject({ imported: 0, repeated: 3, repeatedInFile: 1, skipped: 1 });
  expect(await entries()).toBe(stored);
  expect((await send(CSV, { name: "season-2" })).body).toMatchObject({ imported: 3, repeated: 0 });
  expect([await xpOf("ann"), await xpOf("ben")]).toEqual(["300", "40"]);

  const recordsOf = async (action: string) =>
    (await owner.get(`/api/clans/${clanId}/audit?action=${action}`)).body.records;
  const facts = { actor: "ona", via: "dashboard" };
  // None of the checks, and of imports that changed nothing.
  expect(await recordsOf("member.import")).toMatchObject([
    { ...facts, target: "season-2", after: { lines: 5, imported: 3, repeated: 1, skipped: 1, xpGiven: "170" } },
    { ...facts, target: "import", after: { lines: 5, imported: 3, xpGiven: "170" } },
  ]);
  for (const record of await recordsOf("member.import")) expect(record).not.toHaveProperty("member");
  for (const action of ["member.award", "member.add", "member.appoint"])
    expect([action, await recordsOf(action)]).toEqual([action, []]);
  expect((await dashboard.cli.json("reconcile", "--clan", clanId)).exitCode).toBe(0);
});

test.each([
  ["an unknown column", "platformId,xpp\na,5\n", "", /^The column "xpp" is unknown\. Columns are platform_id, xp,/],
  ["no platformId", "xp\n5\n", "", /platform_id is not among them/],
  ["a column twice", "platformId,xp,xp\na,5,6\n", "", /names a column twice/],
  ["too many lines", "platformId,xp\n", "a,5\n", /more than 10,000 lines/],
])("a file with %s is rejected as a whole, at its field", async (_what, head, line, detail) => {
  const { send, entries } = await newClan(`ola${line}${head.length}`.replaceAll(/\W/g, ""));
  const csv = `${head}${line.repeat(UPLOAD_LINES_MAX + 1)}`;
  for (const dryRun of [true, false]) {
    const { status, body } = await send(csv, { dryRun });
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(body.errors).toEqual([{ pointer: "/csv", detail: expect.stringMatching(detail) }]);
    expect(body.detail).toMatch(/Nothing was changed\.$/);
  }
  expect(await entries()).toBe(0);
});

test("the largest file is checked; a larger body, no text, and a bad name are rejected", async () => {
  const { path, owner, send, entries } = await newClan("max");
  const rows = Array.from({ length: UPLOAD_LINES_MAX }, (_, index) => `p${index},5,${"r".repeat(350)}`);
  const csv = `platformId,xp,reason\n${rows.join("\n")}\n`;
  expect(csv.length).toBeLessThan(UPLOAD_BYTES_MAX);
  const report = { lines: UPLOAD_LINES_MAX, imported: UPLOAD_LINES_MAX };
  expect((await send(csv, { dryRun: true })).body).toMatchObject(report);
  expect((await send("x".repeat(2 * UPLOAD_BYTES_MAX))).status).toBe(413);
  // Only this endpoint accepts so much.
  expect((await owner.post(`${path.replace("import", "p1")}/membership`)).status).toBe(200);
  expect((await owner.post(`${path.replace("import", "p1")}/appointment`, { rank: csv })).status).toBe(413);
  for (const bad of [{ csv: "" }, { name: "two words" }, { name: "" }, { dryRun: "no" }, { csv: 5 }])
    expect([bad, (await send("platformId,xp\na,5\n", bad)).status]).toEqual([bad, 400]);
  expect(await entries()).toBe(1);
});

test.each([
  [
    "known names, new and old",
    "platform_id,xp,appointedRank\n",
    true,
    { platformId: "platform_id", xp: "xp", appointedRank: "appointedRank" },
  ],
  [
    "a byte order mark and semicolons",
    "\uFEFFUser ID;Username;Points\n1;Nova;5\n",
    false,
    { platformId: "User ID", name: "Username", xp: "Points" },
  ],
  [
    "a line sep= and names in other case",
    "sep=;\nPlatform ID;XP;Level\n",
    false,
    { platformId: "Platform ID", xp: "XP" },
  ],
  ["an ID beside a better name for it", "id,RobloxID,name\n", false, { platformId: "RobloxID", name: "name" }],
  ["quotes and nothing known", '"a, b","c"\n', false, {}],
  ["nothing", "", false, {}],
])("the columns of a file with %s are read, and their meaning is guessed", async (_what, head, isKnown, guess) => {
  const { owner, clanId } = await newClan(`col${head.length}${head.at(-3) ?? ""}`.replaceAll(/\W/g, "").toLowerCase());
  const { status, body } = await owner.post(`/api/clans/${clanId}/import/columns`, { head });
  expect([status, body.isKnown, body.guess]).toEqual([200, isKnown, guess]);
});

test("columns of other names are imported as a person chose them, and a choice that does not fit changes nothing", async () => {
  const { send, xpOf, entries } = await newClan("cho");
  const csv = "User ID;Username;Points;Level\n4711;Nova;30;9\n";
  expect((await send(csv)).body.errors[0]).toMatchObject({
    pointer: "/csv",
    detail: expect.stringContaining("User ID"),
  });
  const columns = { platformId: "User ID", name: "Username", xp: "Points" };
  expect((await send(csv, { columns, dryRun: true })).body).toMatchObject({ imported: 1 });
  for (const bad of [{ ...columns, xp: "Score" }, { name: "Username" }, { ...columns, rank: "Level" }])
    expect((await send(csv, { columns: bad })).status).toBe(400);
  expect(await entries()).toBe(0);
  expect((await send(csv, { columns })).body).toMatchObject({ lines: 1, imported: 1, skipped: 0 });
  expect(await xpOf("4711")).toBe("30");
});

test("the sample can be imported, and names a rank of the clan", async () => {
  const { clanId, owner, send } = await newClan("sam");
  const { status, headers, body } = await owner.get(`/api/clans/${clanId}/import/sample.csv`);
  expect([status, headers.get("content-disposition")]).toEqual([200, "attachment; filename=clan-xp-sample.csv"]);
  expect(body.split("\n")[0]).toBe("platform_id,name,xp,membership,appointed_rank,reason");
  expect(body).toContain(",Officer,");
  expect((await send(body)).body).toMatchObject({ lines: 3, imported: 3, skipped: 0, faults: [], notes: [] });
  // Also as it is stored, with a byte order mark.
  expect((await send(`\uFEFF${body}`)).body).toMatchObject({ lines: 3, repeated: 3 });
});

test("an import is undone by its name, once, by owners alone", async () => {
  const { clanId, owner, send } = await newClan("und");
  const path = `/api/clans/${clanId}/import/undo`;
  const mod = await dashboard.signedIn("und-mod", "moderator", clanId);
  await send("platform_id,xp,membership\na,30,true\nb,12,true\n", { name: "a/b?c" });
  await send("platform_id,xp\na,5\n", { name: "other" });
  expect((await mod.get(`${path}?name=other`)).status).toBe(403);
  expect((await mod.post(path, { name: "other" })).status).toBe(403);
  const query = `?name=${encodeURIComponent("a/b?c")}`;
  expect((await owner.get(path + query)).body).toEqual({ awards: 2, members: 2, amount: "42" });
  expect((await owner.get(`${path}?name=unknown`)).body).toMatchObject({ awards: 0 });
  const { status, body } = await owner.post(path, { name: "a/b?c" });
  expect([status, body]).toEqual([200, { reversalId: expect.stringMatching(/^rev_/), status: "queued" }]);
  expect((await owner.get(`/api/clans/${clanId}/reversals/${body.reversalId}`)).body).toMatchObject({
    by: { importName: "a/b?c" },
    reason: "undo import a/b?c",
    actor: "und",
  });
});
