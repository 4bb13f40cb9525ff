// event list and repair, the export of events, and the settings that decide which changes have events.
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { AnyEventResponse } from "#contract/event.ts";
import { makeEventUpkeep } from "#events/store/event-upkeep.ts";
import { makeClanCaller, type ClanCaller } from "../../support/clan-caller.ts";
import { cliOn, spawnCli } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { useApi } from "../../support/use-api.ts";

const { world, port } = await useApi({ worker: true });
const cli = cliOn({ MONGO_URL: world.mongoUrl });
const fileOf = useFiles();

const newClan = (): Promise<ClanCaller> => makeClanCaller(world, port);

type Listed = { events: any[]; cursor: string; hasMore: boolean };
async function listed(clanId: string, ...args: string[]): Promise<Listed> {
  const { exitCode, answer } = await cli.json("event", "list", clanId, ...args);
  expect({ exitCode, keys: Object.keys(answer) }).toStrictEqual({ exitCode: 0, keys: ["events", "cursor", "hasMore"] });
  for (const event of answer.events) AnyEventResponse.parse(event);
  return answer;
}

/** As if all of them were older than the retention. */
async function age({ clanId }: ClanCaller): Promise<void> {
  const { deleteOld } = makeEventUpkeep(world.database);
  while ((await deleteOld(clanId, { olderThanMs: -60_000, limit: 100 })) > 0);
}

/**
 * How many events a repair adds that examines so many changes. Those whose events have just become readable are still
 * marked, and not examined.
 */
async function repaired(clanId: string, changes: number): Promise<number> {
  let answer = { examined: 0, added: 0 };
  await until(async () => {
    answer = (await cli.json("event", "repair", clanId, "--since", "2026-01-01")).answer;
    expect(Object.keys(answer)).toStrictEqual(["examined", "added"]);
    return answer.examined === changes;
  });
  return answer.added;
}

/** Lists them once there are this many. */
async function eventsOf(clanId: string, count: number, ...args: string[]): Promise<any[]> {
  let { events } = await listed(clanId, ...args);
  await until(async () => {
    ({ events } = await listed(clanId, ...args));
    return events.length >= count;
  });
  expect(events).toHaveLength(count);
  return events;
}

describe("event list", () => {
  test("prints events in order, of all types or of some, and continues at the cursor without a gap", async () => {
    const clan = await newClan();
    // Only a member's own events are in the order of their changes, unless they are read one after the other.
    await eventsOf(clan.clanId, 1);
    await clan.award("riser", { amount: 150 });
    await clan.award("riser", { amount: 900 });
    await cli.run("member", "remove", clan.clanId, "riser");
    const all = await eventsOf(clan.clanId, 6);
    expect(all.map(({ type, data: { seq, rank, cause } }) => [type, seq, rank, cause])).toStrictEqual([
      ["key.created", undefined, undefined, undefined],
      ["member.joined", 1, "Recruit", "award"],
      ["member.rank_changed", 1, "Recruit", "award"],
      ["member.rank_changed", 2, "Veteran", "award"],
      ["member.left", 3, "Guest", undefined],
      ["member.rank_changed", 3, "Guest", "membership"],
    ]);
    const typesOf = async (...types: string[]) =>
      (await listed(clan.clanId, ...types.flatMap((type) => ["--type", type]))).events.map(({ type }) => type);
    expect(await typesOf("key.*", "member.left")).toStrictEqual(["key.created", "member.left"]);
    expect(await typesOf("batch.done")).toStrictEqual([]);

    const pages: any[][] = [];
    for (let [after, hasMore]: [string[], boolean] = [[], true]; hasMore;) {
      const page = await listed(clan.clanId, "--limit", "4", ...after);
      pages.push(page.events);
      [after, hasMore] = [["--after", page.cursor], page.hasMore];
    }
    expect(pages.map((page) => page.length)).toStrictEqual([4, 2]);
    expect(pages.flat()).toStrictEqual(all);
    // As a client of the API stores it in the middle of a page.
    const { cursor } = await listed(clan.clanId, "--limit", "1");
    expect((await listed(clan.clanId, "--after", `${cursor}.${all[2].id}`)).events).toStrictEqual(all.slice(3));

    const now = await listed(clan.clanId, "--after", "now");
    expect([now.events, now.hasMore]).toStrictEqual([[], false]);
    await clan.award("next", { amount: 100 });
    const later = await eventsOf(clan.clanId, 2, "--after", now.cursor);
    expect(later.map(({ data }) => data.platformId)).toStrictEqual(["next", "next"]);
    const text = (await cli.run("event", "list", clan.clanId, "--type", "member.rank_changed")).stdout;
    expect(text.split("\n").slice(0, 2)).toStrictEqual([
      "TIME                      EVENT                MEMBER  CHANGE",
      `${all[2].timestamp}  member.rank_changed  riser   up from Guest to Recruit, 150 XP`,
    ]);
    expect(text).toContain("For later events: continue with --after ");
    const newest = await listed(clan.clanId, "--newest", "--limit", "2");
    expect([newest.events, newest.hasMore]).toStrictEqual([later.toReversed(), true]);
    expect((await listed(clan.clanId, "--after", newest.cursor)).events).toStrictEqual([]);
    const { events: ranks, hasMore } = await listed(clan.clanId, "--newest", "--type", "member.rank_changed");
    expect([ranks.length > 1, ranks[0].data.platformId, ranks.at(-1), hasMore]).toEqual([true, "next", all[2], false]);
  });

  test("--follow prints each event on a line as it happens, and ends with the signal that interrupts it", async () => {
    const clan = await newClan();
    const args = ["event", "list", clan.clanId, "--after", "now", "--follow", "--type", "member.joined", "--json"];
    // What exists before it begins would not be listed: each member joins until one is.
    const child = spawnCli({ MONGO_URL: world.mongoUrl }, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    const lines: any[] = [];
    createInterface({ input: child.stdout as Readable }).on("line", (line) => lines.push(JSON.parse(line)));
    let joined = 0;
    const oneMoreJoins = async () => {
      await clan.award(`m${(joined += 1)}`, { amount: 100 });
      return lines.length;
    };
    // However long it takes to begin, fewer than the list below can have.
    await expect.poll(oneMoreJoins, { interval: 300 }).toBeGreaterThan(0);
    await clan.award("last", { amount: 100 });
    await until(async () => lines.at(-1).data.platformId === "last");
    const stored = await listed(clan.clanId, "--type", "member.joined", "--limit", "200");
    expect(lines).toStrictEqual(stored.events.slice(-lines.length));
    child.kill("SIGINT");
    expect(await ended).toEqual([null, "SIGINT"]);
  });

  test("exits with code 1 for a cursor whose events were deleted by age, with 2 for that of another clan", async () => {
    const clan = await newClan();
    await clan.award("old", { amount: 100 });
    await eventsOf(clan.clanId, 3);
    const { cursor } = await listed(clan.clanId, "--limit", "1");
    await age(clan);
    const expired = await cli.json("event", "list", clan.clanId, "--after", cursor);
    expect([expired.exitCode, expired.answer.error.code]).toStrictEqual([1, "cursor_expired"]);
    expect((await listed(clan.clanId)).events).toStrictEqual([]);

    const foreign = await cli.json("event", "list", (await newClan()).clanId, "--after", cursor);
    expect([foreign.exitCode, foreign.answer.error.code]).toStrictEqual([2, "usage"]);
  });
});

test("clan set --award-events gives each later award an event, and none after it is switched off", async () => {
  const clan = await newClan();
  await clan.award("quiet", { amount: 1 });
  const on = (await cli.json("clan", "set", clan.clanId, "--award-events", "on")).answer;
  expect(on.awardEvents).toBe(true);
  expect((await cli.json("clan", "show", clan.clanId)).answer).toStrictEqual({ ...on, publicPage: null });
  // Each process sees a change of a clan within a second.
  let awards = 0;
  await until(async () => {
    await clan.award("loud", { amount: 1, reason: "win" });
    awards += 1;
    return (await listed(clan.clanId, "--type", "award.applied")).events.length > 0;
  });
  const [first] = (await listed(clan.clanId, "--type", "award.applied")).events;
  expect(first.data).toMatchObject({ platformId: "loud", amount: "1", applied: "1", reason: "win" });
  expect(awards).toBeGreaterThanOrEqual(first.data.seq);
  expect((await cli.json("clan", "set", clan.clanId, "--award-events", "off")).answer).not.toHaveProperty(
    "awardEvents",
  );
  const { records } = (await cli.json("audit", "list", "--clan", clan.clanId, "--action", "clan.set")).answer;
  expect(records.map(({ before, after }: any) => [before, after])).toStrictEqual([
    [{ awardEvents: true }, { awardEvents: null }],
    [{ awardEvents: null }, { awardEvents: true }],
  ]);
});

test("import has events with --events only", async () => {
  const file = fileOf("members.csv", "platformId,xp,membership\na,150,true\n");
  const [silent, loud] = [await newClan(), await newClan()];
  expect((await cli.json("import", silent.clanId, file)).answer.imported).toBe(1);
  expect((await cli.json("import", loud.clanId, file, "--events")).answer.imported).toBe(1);
  const events = await eventsOf(loud.clanId, 2, "--type", "member.*");
  expect(events.map(({ type, data }) => [type, data.rank])).toStrictEqual([
    ["member.joined", "Recruit"],
    ["member.rank_changed", "Recruit"],
  ]);
  // An event of a later change shows that those of the import would have been numbered.
  await silent.award("b", { amount: 100 });
  await until(async () => (await listed(silent.clanId)).events.some(({ data }) => data.platformId === "b"));
  expect((await listed(silent.clanId)).events.filter(({ data }) => data.platformId === "a")).toStrictEqual([]);
  expect(await repaired(silent.clanId, 1)).toBe(0);
});

test("export events prints CSV with the common fields as columns, NDJSON with the events as they are", async () => {
  const clan = await newClan();
  await clan.award("-5", { amount: 100 });
  await eventsOf(clan.clanId, 3);
  await cli.run("member", "remove", clan.clanId, "--", "-5");
  const events = await eventsOf(clan.clanId, 5);
  const lines = (await cli.run("export", clan.clanId, "events", "--format", "ndjson")).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toStrictEqual(events);
  const csv = (await cli.run("export", clan.clanId, "events", "--type", "member.rank_changed")).stdout.split("\n");
  expect(csv).toHaveLength(4);
  expect(csv[0]).toBe(
    "id,type,timestamp,clan_id,platform_id,name,seq,xp,rank,previous_rank,direction,cause,award_id,amount,applied,reason,data",
  );
  const [{ id, timestamp, data }] = events.filter(({ type }) => type === "member.rank_changed");
  expect(csv[1]).toContain(
    `${id},member.rank_changed,${timestamp},${clan.clanId},'-5,,1,100,Recruit,Guest,up,award,${data.awardId},,,,`,
  );
  const { timestamp: since } = events.at(-1);
  const later = (await cli.run("export", clan.clanId, "events", "--since", since, "--format", "ndjson")).stdout;
  expect(later.trim().split("\n")).toHaveLength(2);
  const none = await cli.run("export", clan.clanId, "events", "--since", "2031-01-01");
  expect(none.stdout).toBe(`${csv[0]}\n`);
});

describe("event repair", () => {
  const flags = (collection: string) => world.database.db().collection<any>(collection);

  test("adds the events that are missing, once each, and leaves the others", async () => {
    const clan = await newClan();
    await clan.award("a", { amount: 100 });
    await clan.award("a", { amount: 1 });
    await cli.run("member", "remove", clan.clanId, "a");
    await clan.submit([{ platformId: "a", amount: 1 }]);
    const before = await eventsOf(clan.clanId, 6);
    expect(await repaired(clan.clanId, 3)).toBe(0);
    expect((await cli.run("event", "repair", clan.clanId, "--since", "2026-01-01")).stdout).toContain(
      "no event is missing",
    );

    // As if a fault had lost them.
    const lost = { "_id.clanId": clan.clanId, type: { $in: ["member.joined", "member.left", "batch.done"] } };
    const lostEvents = await flags("events").find(lost).toArray();
    await flags("events").updateMany(lost, { $unset: { type: "", subject: "", seq: "", data: "" } });
    expect(await repaired(clan.clanId, 3)).toBe(3);
    const after = await eventsOf(clan.clanId, 6);
    const typesIn = (events: any[]): Set<string> => new Set(events.map(({ type, data }) => `${type} ${data.seq}`));
    expect(typesIn(after)).toStrictEqual(typesIn(before));
    const dataOf = (events: any[], type: string) => events.find((event) => event.type === type).data;
    for (const { type } of lostEvents) expect(dataOf(after, type)).toStrictEqual(dataOf(before, type));
    expect(await repaired(clan.clanId, 3)).toBe(0);
  });

  test("adds award.applied where the clan has award events, and nothing that was deleted by age", async () => {
    const clan = await newClan();
    await clan.award("a", { amount: 1 });
    expect(await repaired(clan.clanId, 0)).toBe(0);
    await clan.change({ awardEvents: true });
    expect(await repaired(clan.clanId, 1)).toBe(1);
    const [applied] = await eventsOf(clan.clanId, 1, "--type", "award.applied");
    expect(applied.data).toMatchObject({ platformId: "a", applied: "1" });

    expect(await repaired(clan.clanId, 1)).toBe(0);
    await age(clan);
    await clan.award("b", { amount: 1 });
    await eventsOf(clan.clanId, 1);
    expect(await repaired(clan.clanId, 1)).toBe(0);
  });
});
