// Ranks and Auto Clan as an owner edits them: tried out, agreed to, set; nothing of somebody else's is overwritten.
import { expect, test } from "vitest";
import type { Clan } from "#domain/clan.ts";
import { until } from "../../support/until.ts";
import { useDashboard } from "./dashboard-world.ts";

const dashboard = await useDashboard();
const operator = await dashboard.signedIn("ops", "operator");

const GUEST = { name: "Guest", kind: "GUEST" } as const;
type Edited = { name: string; kind: string; threshold: string | null; was: string | null };

/** A clan with a Recruit of 500 XP and an Officer, and its ranks as the editor gets them. */
async function livedIn() {
  const { world } = dashboard;
  const { clanId } = (await world.makeClan()).clan;
  await world.members.join({ clanId, platformId: "recruit" }, new Date(), null);
  await world.setXp({ clanId, platformId: "recruit" }, 500n);
  await world.members.join({ clanId, platformId: "officer" }, new Date(), "Officer");
  const api = `/api/clans/${clanId}`;
  const stored = (await operator.get(`${api}/ranks`)).body.ranks;
  const edited: Edited[] = stored.map((rank: any) => ({ threshold: null, ...rank, was: rank.name }));
  return {
    clanId,
    stored,
    edited,
    /** The list with other facts of this rank. */
    editedAt: (name: string, changes: Partial<Edited>) =>
      edited.map((rank) => (rank.name === name ? { ...rank, ...changes } : rank)),
    settings: async () => (await operator.get(`${api}/ranks`)).body,
    preview: (ranks: Edited[]) => operator.post(`${api}/ranks/preview`, { stored, ranks }),
    set: (ranks: Edited[], confirmed: boolean) => operator.send("PUT", `${api}/ranks`, { stored, ranks, confirmed }),
    setAutoClan: (autoClan: unknown) => operator.send("PUT", `${api}/auto-clan`, { autoClan }),
    rankOf: async (platformId: string) => (await operator.get(`${api}/members/${platformId}`)).body.member.rank,
    audit: async () => (await operator.get(`${api}/audit?actor=ops`)).body.records,
  };
}

test("a preview of ranks counts promotions, demotions and ending appointments, and changes nothing", async () => {
  const clan = await livedIn();
  const next = clan.editedAt("Veteran", { threshold: "500" }).filter(({ name }) => name !== "Officer");
  const { status, body } = await clan.preview(next);
  expect(status).toBe(200);
  expect(body).toMatchObject({ members: 2, rise: 1, fall: 1, changed: 2, dropped: 1 });
  expect(body.ranks).toContainEqual({ name: "Recruit", kind: "NORMAL", before: 1, after: 1, rise: 0, fall: 1 });
  expect(body.ranks).toContainEqual({ name: "Veteran", kind: "NORMAL", before: 0, after: 1, rise: 1, fall: 0 });
  expect(body.ranks.at(-1)).toEqual({ name: "Officer", kind: "STAFF", before: 1, after: 0, rise: 0, fall: 0 });
  expect((await clan.settings()).ranks).toEqual(clan.stored);
  expect(await clan.audit()).toEqual([]);
});

test("a new name of a rank is in force for the next request of the same person", async () => {
  const clan = await livedIn();
  expect((await clan.set(clan.editedAt("Recruit", { name: "Rookie" }), true)).body.kind).toBe("saved");
  expect(await clan.rankOf("recruit")).toBe("Rookie");
  const { members } = (await operator.get(`/api/clans/${clan.clanId}/members`)).body;
  expect(members.map(({ rank }: any) => rank)).toContain("Rookie");
});

test.for<[string, Partial<Clan>, Record<string, number>]>([
  ["with ranks by XP", {}, { Guest: 1, Recruit: 1, Veteran: 0, Elite: 0, Officer: 0, Chief: 1 }],
  ["without", { ranks: [GUEST, { name: "Chief", kind: "OWNER" }] }, { Guest: 2, Chief: 1 }],
])(
  "in a clan %s, guests are those without a rank by XP or an appointment, also on the overview",
  async ([, changes, counts]) => {
    const { world } = dashboard;
    const { clanId } = (await world.makeClan(changes)).clan;
    await world.members.join({ clanId, platformId: "joined" }, new Date(), null);
    await world.setXp({ clanId, platformId: "joined" }, 500n);
    await world.members.join({ clanId, platformId: "chief" }, new Date(), "Chief");
    await world.setXp({ clanId, platformId: "passing" }, 90n);
    expect((await operator.get(`/api/clans/${clanId}/ranks/members`)).body.members).toEqual(counts);
    let counted: any;
    // Null for the reader whose wait for the count has ended.
    await until(async () => {
      counted = (await operator.get(`/api/clans/${clanId}/highlights`)).body;
      return counted.asOf;
    });
    const shown = counted.ranks.map(({ name, members }: any) => [name, members]);
    expect(Object.fromEntries(shown)).toEqual(counts);
  },
);

test("a list of ranks that affects members is stored only after a confirmation, with its actor in the audit log", async () => {
  const clan = await livedIn();
  const next = clan.editedAt("Veteran", { threshold: "500" });
  const unconfirmed = (await clan.set(next, false)).body;
  expect(unconfirmed).toMatchObject({ kind: "unconfirmed", preview: { rise: 1, fall: 0, changed: 1, dropped: 0 } });
  expect((await clan.settings()).ranks).toEqual(clan.stored);

  const saved = (await clan.set(next, true)).body;
  expect(saved.kind).toBe("saved");
  expect(saved.settings).toEqual(await clan.settings());
  expect(saved.settings.ranks).toContainEqual({ name: "Veteran", kind: "NORMAL", threshold: "500" });
  await until(async () => (await clan.rankOf("recruit")) === "Veteran");
  expect(await clan.audit()).toMatchObject([{ actor: "ops", via: "dashboard", action: "rank.set" }]);
});

test("a renamed rank keeps its appointments and its members, without a confirmation", async () => {
  const clan = await livedIn();
  const swapped = clan
    .editedAt("Officer", { name: "Chief" })
    .map((rank) => (rank.was === "Chief" ? { ...rank, name: "Officer" } : rank));
  expect((await clan.set(swapped, false)).body.kind).toBe("saved");
  await until(async () => (await clan.rankOf("officer")) === "Chief");
});

test("edits of a list of ranks that was changed meanwhile are rejected and change nothing", async () => {
  const clan = await livedIn();
  const { exitCode } = await dashboard.cli.json("rank", "set", clan.clanId, "--rename", "Elite=Legend");
  expect(exitCode).toBe(0);
  const now = await clan.settings();
  const next = clan.editedAt("Officer", { name: "Captain" });
  for (const answer of [await clan.set(next, true), await clan.preview(next)]) {
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
  }
  expect(await clan.settings()).toEqual(now);
});

test("one of several owners who save edits of the ranks at the same time succeeds, the others get an error", async () => {
  const clan = await livedIn();
  const names = ["Captain", "Major", "Colonel", "Marshal", "Admiral"];
  const answers = await Promise.all(names.map((name) => clan.set(clan.editedAt("Officer", { name }), true)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  const [saved] = answers.filter(({ status }) => status === 200);
  expect(await clan.settings()).toEqual(saved?.body.settings);
  expect(await clan.audit()).toHaveLength(1);
});

test("an invalid list of ranks is rejected with its faults and changes nothing", async () => {
  const clan = await livedIn();
  const visitor = { name: "Visitor", kind: "GUEST", threshold: null, was: null };
  const lists: [Edited[], RegExp][] = [
    [
      [...clan.editedAt("Veteran", { threshold: "50" }), visitor],
      /exactly one rank is .* GUEST.*thresholds must increase/,
    ],
    [clan.editedAt("Veteran", { threshold: "9".repeat(19), name: "Recruit" }), /two ranks .* "Recruit".* is 0 to/],
  ];
  for (const [ranks, detail] of lists)
    for (const { status, body } of [await clan.set(ranks, true), await clan.preview(ranks)])
      expect([status, body.code, body.detail]).toEqual([400, "invalid_request", expect.stringMatching(detail)]);
  const faults = async (changes: Partial<Edited>) =>
    (await clan.set(clan.editedAt("Veteran", changes), true)).body.errors;
  expect(await faults({ threshold: "1.5" })).toEqual([
    { pointer: "/ranks/2/threshold", detail: "must be a whole number of XP" },
  ]);
  expect(await faults({ name: " " })).toMatchObject([{ pointer: "/ranks/2/name" }]);
  expect((await clan.settings()).ranks).toEqual(clan.stored);
});

test("Auto Clan can be turned off and on without any other change", async () => {
  const clan = await livedIn();
  expect((await clan.setAutoClan(false)).body).toEqual({ autoClan: false, ranks: clan.stored });
  expect(await clan.settings()).toEqual({ autoClan: false, ranks: clan.stored });
  expect((await clan.setAutoClan("on")).body.code).toBe("invalid_request");
  expect((await clan.setAutoClan(true)).body.autoClan).toBe(true);
  expect(await clan.audit()).toMatchObject([
    { action: "clan.set", before: { autoClan: false }, after: { autoClan: true } },
    { action: "clan.set", before: { autoClan: true }, after: { autoClan: false } },
  ]);
});
