// A clan with two weeks of history, for the pictures of the documentation: made by the commands and the committer that
// real clans are made by, with the committer's clock set to earlier moments. What commands date by the clock of the
// machine is dated back afterwards.
import { randomUUID } from "node:crypto";
import { callerAwardKey } from "#domain/award-key.ts";
import type { Award } from "#domain/award.ts";
import { systemClock } from "#process/clock.ts";
import { digest } from "#process/secrets.ts";
import type { Database } from "#mongo/database.ts";
import { makeNameStore } from "#names/store/name-store.ts";
import { openLedger } from "../../apps/cli/open/ledger.ts";
import { makeStores } from "../../apps/cli/open/stores.ts";
import { chanceOf, type Chance } from "../support/chance.ts";
import { destinationsIn } from "../support/destinations.ts";
import { storedIn } from "../support/stored.ts";
import type { CommandLine } from "../support/cli.ts";

export type SampleClan = {
  clanId: string;
  /** A member with two weeks of entries. */
  platformId: string;
  /** A key that leaked, and how many awards somebody sent with it. */
  leaked: { keyName: string; awards: number };
};

const CLAN_ID = "night-owls";
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const DAYS = 14;
const SEASON_DAYS = 60;
/** The same pictures each time, but for their times. */
const SEED = 18;
const COMMIT_MS_MAX = 30_000;

/** Those with the same share of the awards together, from the largest share on. */
const PLAYERS: readonly (readonly string[])[] = [
  ["mira_k"],
  ["pixelfox", "jonas.v"],
  ["astro-nia"],
  ["tidewalker", "grimm0ire"],
  ["lumen", "oakley_r"],
  ["sable", "kestrel"],
  ["ninefold", "bram.t", "quillon"],
  ["ivy_l", "rook-77"],
  ["fennel"],
];
/** Played in the first days only, about twice a day each. The last one was removed later. */
const FORMER = [
  { name: "hermit", amount: 150n },
  { name: "old_salt", amount: 180n },
  { name: "drifter", amount: 2_600n },
];
const FORMER_DAYS = 5;
const FORMER_EVERY_MINUTES = 250;
/** Of the others, none is known. In scripts that machines without more fonts can show. */
const NAMES = {
  mira_k: "Mira Kovač",
  pixelfox: "Pixel Fox",
  "jonas.v": "Jonas Vale",
  "astro-nia": "Astro Nia",
  tidewalker: "Tidewalker",
  lumen: "ليلى لومن",
  oakley_r: "Oakley",
  sable: "Sable the Quiet",
  ninefold: "Девятка",
  "rook-77": "Rook",
};
const REASONS = [
  ["won a match", 120, 180],
  ["finished a match", 30, 60],
  ["daily quest", 75, 75],
  ["most valuable player", 200, 200],
] as const;
/** How long ago the leaked key awarded, each minute. */
const LEAKED_MINUTES = { from: 100, until: 95 } as const;
const LEAKED = { keyName: "event-bot", platformId: "rook-77", reason: "summer event" } as const;

export async function makeSampleClan(world: { database: Database; cli: CommandLine }): Promise<SampleClan> {
  const { database, cli } = world;
  const beganMs = Date.now() - DAYS * DAY_MS;
  await run(cli, "clan", "create", CLAN_ID, "--name", "Night Owls", "--auto");
  const byXp = ["Recruit:NORMAL:0", "Scout:NORMAL:1000", "Veteran:NORMAL:5000", "Elite:NORMAL:20000"];
  await setRanks(cli, CLAN_ID, ...byXp, "Captain:STAFF", "Founder:OWNER");
  const game = await createKey(cli, "game-server");
  const leaked = await createKey(cli, LEAKED.keyName, "--scope", "award", "--scope", "read");
  const website = await createKey(cli, "website", "--scope", "read");
  const old = await createKey(cli, "test-place");
  await run(cli, "key", "revoke", old);
  await run(cli, "account", "invite", "sam@example.com", "--clan", CLAN_ID, "--role", "viewer");

  const chance = chanceOf(SEED);
  await playedFor({ database, beganMs, chance }, { game, leaked });
  const names = Object.entries(NAMES).map(([platformId, name]) => ({ platformId, name }));
  await makeNameStore(database).set(CLAN_ID, names);
  await run(cli, "member", "appoint", CLAN_ID, "mira_k", "--rank", "Captain");
  await run(cli, "member", "remove", CLAN_ID, "drifter");
  await addBoards(cli, beganMs);
  await dateBack(database, beganMs, [
    { keyId: game, createdMs: DAYS * DAY_MS, usedMs: MINUTE_MS },
    { keyId: website, createdMs: 9 * DAY_MS, usedMs: 3 * HOUR_MS },
    { keyId: leaked, createdMs: 6 * DAY_MS, usedMs: LEAKED_MINUTES.until * MINUTE_MS },
  ]);
  await run(cli, "clan", "create", "harbor-watch", "--name", "Harbor Watch");
  await setRanks(cli, "harbor-watch", "Deckhand:NORMAL:0", "Mate:NORMAL:1500", "Harbor master:STAFF");
  await addDestinations(database);
  const awards = LEAKED_MINUTES.from - LEAKED_MINUTES.until;
  return { clanId: CLAN_ID, platformId: "pixelfox", leaked: { keyName: LEAKED.keyName, awards } };
}

/** The season began with the clan, so it has standings on every day of the year. */
async function addBoards(cli: CommandLine, beganMs: number): Promise<void> {
  const dayMs = Math.floor(beganMs / DAY_MS) * DAY_MS;
  const [from, to] = [dayMs, dayMs + SEASON_DAYS * DAY_MS].map((ms) => new Date(ms).toISOString());
  const board = (...args: string[]): Promise<unknown> => run(cli, "board", "set", CLAN_ID, ...args);
  await board("winter", "--season", "--from", `${from}`, "--to", `${to}`, "--name", "Winter season");
  await board("weekly", "--every", "week", "--time-zone", "Europe/Berlin", "--name", "Weekly");
}

/** Nothing is sent to them: no notifier runs. */
async function addDestinations(database: Database): Promise<void> {
  const { add } = destinationsIn(database);
  const [url, credential] = ["https://127.0.0.1", "none"];
  const sent = { lastDeliveredAt: new Date(Date.now() - 2 * MINUTE_MS) };
  const site = { name: "website", sendsTo: "https://night-owls.example/clan-events", ...sent };
  await add(CLAN_ID, { kind: "webhook", url, signing: [] }, site);
  const news = { name: "announcements", sendsTo: "1168803429174681620", only: "up" as const, ...sent };
  await add(CLAN_ID, { kind: "discord", url }, news);
  const mapping = { target: "5174926", roles: {}, requestsPerMinute: 120 };
  await add(CLAN_ID, { kind: "roblox-group", credential }, { name: "our group", sendsTo: "5174926", mapping });
}

async function setRanks(cli: CommandLine, clanId: string, ...ranks: string[]): Promise<void> {
  await run(cli, "rank", "set", clanId, ...ranks.flatMap((rank) => ["--rank", rank]));
}

async function createKey(cli: CommandLine, name: string, ...options: string[]): Promise<string> {
  return (await run(cli, "key", "create", CLAN_ID, "--name", name, ...options)).keyId;
}

async function run(cli: CommandLine, ...args: string[]): Promise<any> {
  const { exitCode, answer, stderr } = await cli.json(...args);
  if (exitCode !== 0)
    throw new Error(`clanxp ${args.join(" ")} exits with ${exitCode}: ${stderr}${JSON.stringify(answer)}`);
  return answer;
}

/**
 * Awards of two weeks, minute by minute: more in the evening, and more on the last two days, so that their charts have
 * something to show.
 */
async function playedFor(
  { database, beganMs, chance }: { database: Database; beganMs: number; chance: Chance },
  { game, leaked }: { game: string; leaked: string },
): Promise<void> {
  const endsMs = Date.now();
  let nowMs = beganMs;
  const clock = { ...systemClock, now: () => new Date(nowMs) };
  const { committer, close } = openLedger({ ...makeStores(database), clock });
  const players = PLAYERS.flatMap((names, at) =>
    names.flatMap((name) => Array<string>(PLAYERS.length - at).fill(name)),
  );
  for (; nowMs < endsMs - 5_000; nowMs += MINUTE_MS) {
    const awards: Award[] = [];
    if (chance.hits(busyAt(nowMs, endsMs))) {
      const matchId = `m-${chance.int(10_000, 99_999)}`;
      const count = chance.int(1, 4);
      for (let index = 0; index < count; index += 1)
        awards.push(playedAward(chance, chance.pick(players), matchId, game));
    }
    const minute = Math.round((nowMs - beganMs) / MINUTE_MS);
    const former = FORMER[(minute / FORMER_EVERY_MINUTES) % FORMER.length];
    if (former && minute * MINUTE_MS < FORMER_DAYS * DAY_MS)
      awards.push(awardOf(former.name, former.amount, "won a match", game));
    const minutesLeft = Math.round((endsMs - nowMs) / MINUTE_MS);
    if (minutesLeft <= LEAKED_MINUTES.from && minutesLeft > LEAKED_MINUTES.until)
      awards.push(awardOf(LEAKED.platformId, 900n, LEAKED.reason, leaked));
    const outcomes = await Promise.all(awards.map((award) => committer.submit(award, COMMIT_MS_MAX)));
    if (outcomes.some(({ kind }) => kind !== "applied")) throw new Error("an award of the sample clan was not applied");
  }
  await close();
}

/** The share of minutes in which a match ends. */
function busyAt(nowMs: number, endsMs: number): number {
  const leftMs = endsMs - nowMs;
  const evening = (1 + Math.cos(((leftMs / HOUR_MS - 3) / 24) * 2 * Math.PI)) / 2;
  if (leftMs < HOUR_MS) return 0.4;
  const share = leftMs < DAY_MS ? 1 : leftMs < 2 * DAY_MS ? 0.8 : 0.25;
  return share * (0.04 + 0.2 * evening);
}

function playedAward(chance: Chance, platformId: string, matchId: string, apiKeyId: string): Award {
  const [reason, least, most] = chance.pick(REASONS);
  return { ...awardOf(platformId, BigInt(chance.int(least, most)), reason, apiKeyId), source: { matchId } };
}

function awardOf(platformId: string, amount: bigint, reason: string, apiKeyId: string): Award {
  const key = callerAwardKey(randomUUID());
  return { clanId: CLAN_ID, platformId, amount, reason, apiKeyId, key, fingerprint: digest(key) };
}

/** How long ago a key was created, and used. */
type KeyAges = { keyId: string; createdMs: number; usedMs: number };

/**
 * What commands made has the time of the clan, but for these keys. Records of the audit log have the time of their
 * change.
 */
async function dateBack(database: Database, beganMs: number, ages: readonly KeyAges[]): Promise<void> {
  const { clans, keys, audit } = storedIn(database);
  const began = new Date(beganMs);
  await clans.updateMany({ _id: CLAN_ID }, { $set: { createdAt: began } });
  await keys.updateMany({ clanId: CLAN_ID }, { $set: { createdAt: began } });
  await keys.updateMany(
    { clanId: CLAN_ID, revokedAt: { $ne: null } },
    { $set: { revokedAt: new Date(beganMs + 2 * DAY_MS) } },
  );
  await audit.updateMany({ clanId: CLAN_ID }, { $set: { at: began } });
  await audit.updateMany({ clanId: CLAN_ID, action: "key.revoke" }, { $set: { at: new Date(beganMs + 2 * DAY_MS) } });
  for (const { keyId, createdMs, usedMs } of ages) {
    const at = new Date(Date.now() - createdMs);
    await keys.updateMany({ _id: keyId }, { $set: { createdAt: at, lastUsedAt: new Date(Date.now() - usedMs) } });
    await audit.updateMany({ target: keyId }, { $set: { at } });
  }
}
