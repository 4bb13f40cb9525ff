// Process time of 10,000 awards through the queue of the packed client, and of the same awards in 100 plain calls,
// which is the minimum of any client. Run as a separate process: `node cpu.ts <folder of the package>` prints both in
// milliseconds.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { applied, nowhere, sentIn } from "./nowhere.ts";
import type { ClanXp as ClanXpClass } from "../../../clients/typescript/src/clan-xp.ts";

const AWARDS = 10_000;
const ENTRIES = 100;
const MEMBERS = 50;
const ROUNDS = 3;

const { ClanXp } = (await import(pathToFileURL(join(process.argv[2] ?? "", "dist", "index.js")).href)) as {
  ClanXp: typeof ClanXpClass;
};
const clan = new ClanXp({ ...nowhere, fetch: async (_url, init) => applied(sentIn(init)) });
const platformId = (index: number): string => `p${index % MEMBERS}`;
const optionsOf = (index: number) => ({ reason: "won a match", cause: `match-${index}` });

async function cpuMs(act: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function queued(): Promise<void> {
  const queue = clan.queue();
  await Promise.all(Array.from({ length: AWARDS }, (_, index) => queue.add(platformId(index), 5, optionsOf(index))));
}

async function plain(): Promise<void> {
  for (let at = 0; at < AWARDS; at += ENTRIES)
    await clan.awards(
      Array.from({ length: ENTRIES }, (_, index) => ({
        platformId: platformId(at + index),
        amount: 5,
        ...optionsOf(at + index),
      })),
    );
}

const rounds: { queued: number; plain: number }[] = [];
for (let round = 0; round < ROUNDS; round += 1) rounds.push({ queued: await cpuMs(queued), plain: await cpuMs(plain) });
const least = (name: "queued" | "plain"): number => Math.min(...rounds.map((round) => round[name]));
process.stdout.write(JSON.stringify({ queued: least("queued"), plain: least("plain") }));
