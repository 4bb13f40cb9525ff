// What moderators may do: give and take XP within the owner's two bounds, over all processes, and reverse their own.
import { beforeEach, describe, expect, test } from "vitest";
import { auditSentence } from "#contract/dashboard/audit-text.ts";
import { systemClock } from "#process/clock.ts";
import { makeBudgetStore } from "#keys/store/budget-store.ts";
import { budgetDay } from "#keys/budget-day.ts";
import { makeClaimBudget } from "#keys/key-budget.ts";
import { moderatorBudget, moderatorTexts } from "#members/moderator-budget.ts";
import { dayLongEnough } from "../../support/same-day.ts";
import { answered, waitedFor } from "../../support/second-attempt.ts";
import { useFiles } from "../../support/temp-dir.ts";
import { until } from "../../support/until.ts";
import { makeVisitor, PASSWORD, type Visitor } from "./dashboard-world.ts";
import { useClan } from "./use-clan.ts";

const { dashboard, clan, api, owner } = await useClan({ worker: true });
const { clanId } = clan;
const fileOf = useFiles();
const otherUrl = await dashboard.startAnother();
beforeEach(dayLongEnough);

let made = 0;
/** A new moderator of the clan, with the whole day before them. */
async function newModerator(): Promise<{ name: string; mod: Visitor }> {
  const name = `mod-${(made += 1)}`;
  return { name, mod: await dashboard.signedIn(name, "moderator", clanId) };
}

const change = (amount: number) => ({ amount, reason: "event", changeId: crypto.randomUUID() });
const give = (by: Visitor, platformId: string, body: object, ofClan = api) =>
  by.post(`${ofClan}/members/${platformId}/xp`, body);
const EXCEEDED = { status: 403, body: { code: "budget_exceeded" } };

/** Owners may change the bounds at any time; they act within a second in every process. */
async function setBounds(xpPerAward: number, xpPerDay: number, ofClan = api): Promise<void> {
  const moderatorBounds = { xpPerAward, xpPerDay };
  const { status, body } = await owner.send("PATCH", ofClan, { moderatorBounds });
  expect([status, body.moderatorBounds]).toStrictEqual([200, moderatorBounds]);
}

describe("a moderator", () => {
  test("gives and takes up to the bounds, which begin with 1,000 at a time and 10,000 a day", async () => {
    const { mod } = await newModerator();
    expect((await mod.get(api)).body.moderatorBounds).toStrictEqual({ xpPerAward: 1_000, xpPerDay: 10_000 });
    for (const amount of [1_001, -1_001]) expect(await give(mod, "most", change(amount))).toMatchObject(EXCEEDED);
    expect((await give(mod, "most", change(1_001))).body.detail).toBe(
      "Moderators of this clan may give or take at most 1,000 XP at a time. Nothing was changed.",
    );
    for (let times = 0; times < 5; times += 1) {
      expect((await give(mod, "most", change(1_000))).body).toMatchObject({ applied: "1000", xp: "1000" });
      expect((await give(mod, "most", change(times === 4 ? -900 : -1_000))).status).toBe(200);
    }
    const beyond = await give(mod, "most", change(101));
    expect(beyond).toMatchObject(EXCEEDED);
    expect(beyond.body.detail).toBe(
      "Moderators of this clan may give and take 10,000 XP per day, and you have 100 XP left until 00:00 UTC. Nothing was changed.",
    );
    expect((await give(mod, "most", change(-100))).body).toMatchObject({ xp: "0" });
    expect(await give(mod, "most", change(-1))).toMatchObject(EXCEEDED);
    // Each moderator has their own day, and owners have no bounds.
    expect((await give((await newModerator()).mod, "most", change(1))).status).toBe(200);
    expect((await give(owner, "most", change(50_000))).status).toBe(200);
    expect((await clan.entriesOf("most")).map(({ actor }) => actor).slice(0, 2)).not.toContain(undefined);
  });

  test("gives no more than that by 50 gifts at the same time through two dashboards, each counted once if it is tried again", async () => {
    const { name, mod } = await newModerator();
    const elsewhere = makeVisitor(otherUrl);
    expect((await elsewhere.post("/api/sign-in", { name, password: PASSWORD })).status).toBe(200);
    const gifts = Array.from({ length: 50 }, (_, index) => ({ to: `gift-${index % 7}`, body: change(900 + index) }));
    const at = (index: number) => (index % 2 === 0 ? mod : elsewhere);
    const replies = await Promise.all(gifts.map(({ to, body }, index) => answered(() => give(at(index), to, body))));
    const given = gifts.filter((_, index) => replies[index]?.status === 200);
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(reply).toMatchObject(EXCEEDED);
    const total = given.reduce((sum, { body }) => sum + body.amount, 0);
    // No other gift fits.
    expect(total).toBeLessThanOrEqual(10_000);
    expect(total).toBeGreaterThan(10_000 - 949);
    const again = await Promise.all(given.map(({ to, body }, index) => waitedFor(() => give(at(index + 1), to, body))));
    const first = replies.filter(({ status }) => status === 200).map(({ body }) => body);
    expect(again.map(({ body }) => body)).toStrictEqual(first);
    const xps = await Promise.all(gifts.slice(0, 7).map(({ to }) => owner.get(`${api}/members/${to}`)));
    expect(xps.reduce((sum, { body }) => sum + Number(body.member?.xp ?? 0), 0)).toBe(total);
    const spent = await makeBudgetStore(dashboard.world.database).spentOf({
      keyId: `moderator:${clanId}/${name}`,
      day: budgetDay(new Date()),
    });
    expect(spent).toBe(total);
  });

  test("whose gift is sent 16 times at the same time gives once, and has the rest of the day left", async () => {
    const { name, mod } = await newModerator();
    const elsewhere = makeVisitor(otherUrl);
    await elsewhere.post("/api/sign-in", { name, password: PASSWORD });
    for (let times = 0; times < 9; times += 1) expect((await give(mod, "once", change(1_000))).status).toBe(200);
    const last = change(1_000);
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => waitedFor(() => give(index % 2 ? mod : elsewhere, "once", last))),
    );
    expect(replies.map(({ status, body }) => [status, body.xp])).toStrictEqual(replies.map(() => [200, "10000"]));
    expect(await give(mod, "once", change(1))).toMatchObject(EXCEEDED);
    expect((await give(mod, "once", last)).body.xp).toBe("10000");
  });

  test("has not used what was not applied", async () => {
    const { clanId: closed, api: ofClosed } = await dashboard.newClan("olga", "owner", { autoClan: false });
    const mod = await dashboard.signedIn("closed-mod", "moderator", closed);
    for (let times = 0; times < 12; times += 1)
      expect(await give(mod, "stranger", change(1_000), ofClosed)).toMatchObject({ status: 404 });
    await dashboard.world.members.join({ clanId: closed, platformId: "m" }, new Date(), null);
    for (let times = 0; times < 10; times += 1)
      expect((await give(mod, "m", change(1_000), ofClosed)).status).toBe(200);
    expect(await give(mod, "m", change(1), ofClosed)).toMatchObject(EXCEEDED);
  });

  test("begins a new day at midnight UTC, also if a gift of the old one is given back later", async () => {
    let now = new Date("2031-05-01T23:59:59.999Z");
    const budgets = makeBudgetStore(dashboard.world.database);
    const claimBudget = makeClaimBudget({
      budgets,
      clock: { ...systemClock, now: () => now },
      newClaimId: () => crypto.randomUUID(),
      texts: moderatorTexts,
    });
    const budget = moderatorBudget({ clanId: "midnight", name: "mod" }, { xpPerAward: 100, xpPerDay: 100 });
    const claim = (amount: number) => claimBudget(budget, [{ amount, id: null }]);
    const before = await claim(100);
    expect(before?.rejections).toStrictEqual([null]);
    expect((await claim(1))?.rejections[0]).toContain("you have 0 XP left");
    now = new Date("2031-05-02T00:00:00.000Z");
    expect((await claim(100))?.rejections).toStrictEqual([null]);
    await before?.refund([0]);
    expect((await claim(1))?.rejections[0]).toContain("you have 0 XP left");
    now = new Date("2031-05-01T23:59:59.999Z");
    await until(async () => (await budgets.spentOf({ ...budget, day: budgetDay(now) })) === 0);
  });

  test("is bound by what the owner sets, in every process, and the audit log says what that was before", async () => {
    const { clanId: own, api: ofOwn, person: olga } = await dashboard.newClan("setter");
    const [mod, elsewhere] = [await dashboard.signedIn("set-mod", "moderator", own), makeVisitor(otherUrl)];
    await elsewhere.post("/api/sign-in", { name: "set-mod", password: PASSWORD });
    expect((await give(elsewhere, "m", change(1_000), ofOwn)).status).toBe(200);
    const set = (moderatorBounds: object) => olga.send("PATCH", ofOwn, { moderatorBounds });
    expect((await set({ xpPerAward: 50, xpPerDay: 1_100 })).status).toBe(200);
    expect(await give(mod, "m", change(51), ofOwn)).toMatchObject(EXCEEDED);
    await until(async () => (await give(elsewhere, "m", change(51), ofOwn)).status === 403);
    expect((await give(mod, "m", change(50), ofOwn)).status).toBe(200);
    expect((await give(mod, "m", change(50), ofOwn)).status).toBe(200);
    expect(await give(mod, "m", change(1), ofOwn)).toMatchObject(EXCEEDED);
    // Below what is spent already.
    expect((await set({ xpPerAward: 50, xpPerDay: 10 })).status).toBe(200);
    expect((await give(mod, "m", change(1), ofOwn)).body.detail).toContain("you have 0 XP left");
    for (const bad of [{ xpPerAward: 0, xpPerDay: 10 }, { xpPerAward: 1, xpPerDay: 1.5 }, { xpPerAward: 1 }])
      expect((await set(bad)).status).toBe(400);
    const { records } = (await olga.get(`${ofOwn}/audit?action=clan.set`)).body;
    expect(records.map(auditSentence)).toStrictEqual([
      "setter changed the moderators' XP per day of the clan from 1,100 to 10",
      "setter changed the moderators' XP per award of the clan from 1,000 to 50 and changed the moderators' XP per day from 10,000 to 1,100",
    ]);
  });

  test("reverses what they gave and took, and nothing of others: of a key, of an owner, of the command line", async () => {
    const { name, mod } = await newModerator();
    const [given, taken] = [await give(mod, "back", change(300)), await give(mod, "back", change(-100))];
    const ofKey = (await clan.awardChange("back", { amount: 5 })).body.change;
    const ofOwner = (await give(owner, "back", change(7))).body;
    const other = (await newModerator()).mod;
    const ofOther = (await give(other, "back", change(9))).body;
    const file = fileOf("back.csv", "platform_id,xp\nback,11\n");
    expect((await dashboard.cli.run("import", clanId, file, "--name", `back-${clanId}`)).exitCode).toBe(0);
    const [imported] = await clan.entriesOf("back");
    // The name of a person on the command line is no account.
    await dashboard.world.database
      .db()
      .collection("ledger")
      .updateOne({ "_id.clanId": clanId, "_id.platformId": "back", amount: 11n }, { $set: { actor: name } });
    const reverse = (by: Visitor, awardId: string) =>
      by.post(`${api}/members/back/awards/${awardId}/reversal`, { reason: null });
    for (const { awardId } of [ofKey, ofOwner, ofOther, imported]) {
      const { status, body } = await reverse(mod, awardId);
      expect([status, body.code, body.detail]).toStrictEqual([
        403,
        "forbidden",
        "As a moderator, you may reverse only what you gave or took yourself. Nothing was changed.",
      ]);
    }
    for (const { body } of [taken, given]) {
      const { reversalId } = (await reverse(mod, body.awardId)).body;
      await until(async () => (await mod.get(`${api}/reversals/${reversalId}`)).body.status === "done");
    }
    expect((await mod.get(`${api}/members/back`)).body.member.xp).toBe(String(5 + 7 + 9 + 11));
    const { records } = (await owner.get(`${api}/audit?action=reversal.submit`)).body;
    expect(records).toMatchObject([{ actor: name }, { actor: name }]);
  });

  test("is invited and made by the command line and by owners, and reads neither keys nor people", async () => {
    const as = ["--clan", clanId, "--role", "moderator"];
    const { answer } = await dashboard.cli.json("account", "invite", "cli-mod", ...as);
    const mod = makeVisitor(dashboard.url);
    const token = new URL(answer.link).hash.slice(1);
    expect((await mod.post("/api/link/use", { token, password: PASSWORD })).status).toBe(200);
    expect((await mod.get("/api/me")).body.clans).toMatchObject([{ clanId, role: "moderator" }]);
    for (const path of ["keys", "people", "public-page", "erasure-hooks"])
      expect([path, (await mod.get(`${api}/${path}`)).status]).toStrictEqual([path, 403]);
    for (const path of ["members", "audit", "ranks", "boards", "boosts", "batches", "destinations", "events"])
      expect([path, (await mod.get(`${api}/${path}`)).status]).toStrictEqual([path, 200]);

    const role = (to: string) => owner.send("PUT", `${api}/people/cli-mod/role`, { role: to });
    expect((await role("viewer")).status).toBe(200);
    expect(await give(mod, "m", change(1))).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect((await role("moderator")).status).toBe(200);
    expect((await give(mod, "m", change(1))).status).toBe(200);
    const granted = await dashboard.cli.json("account", "grant", "cli-mod", ...as);
    expect(granted.answer).toMatchObject({ clans: [{ clanId, role: "moderator" }] });
    const mistyped = await dashboard.cli.run("account", "grant", "cli-mod", "--clan", clanId, "--role", "moderater");
    expect([mistyped.exitCode, mistyped.stderr]).toStrictEqual([2, expect.stringContaining("moderator")]);
    const { records } = (await owner.get(`${api}/audit?action=account.grant`)).body;
    expect(records.map(auditSentence)).toContain("ada changed the role of cli-mod from viewer to moderator");
  });

  test("may read the clan under bounds that only owners set", async () => {
    const { mod } = await newModerator();
    const changed = await mod.send("PATCH", api, { moderatorBounds: { xpPerAward: 5_000, xpPerDay: 50_000 } });
    expect(changed).toMatchObject({ status: 403 });
    await setBounds(2_000, 20_000);
    expect((await give(mod, "bounds", change(2_000))).status).toBe(200);
    await setBounds(1_000, 10_000);
  });
});
