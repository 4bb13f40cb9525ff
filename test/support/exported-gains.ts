// The oracle of gains: what was gained in a span, by the plainest reading of the rule, from what `clanxp export` prints.
import { CANCELLED_DETAIL } from "#domain/batch.ts";
import { patientCliOn } from "./cli.ts";
import type { World } from "./world.ts";

/** Those columns of an exported entry that decide, and those that show what a history has. */
type ExportedEntry = {
  platformId: string;
  awardId: string;
  kind: string;
  at: string;
  applied: string;
  actor: string | null;
  batchId: string | null;
  reason: string | null;
  reverses: string | null;
  limitedBy: string | null;
  boostId: string | null;
};
export type Exported = { entries: ExportedEntry[]; members: { platformId: string; membership: string | null }[] };

export type ExpectedGains = {
  platformId: string;
  xp: string;
  awards: number;
  position: number;
  membership: { since: string } | null;
  firstAwardAt: string;
  lastAwardAt: string;
};

export async function exportClan({ mongoUrl, redisUrl }: World, clanId: string): Promise<Exported> {
  const cli = patientCliOn({ MONGO_URL: mongoUrl, REDIS_URL: redisUrl });
  const rows = async (what: string): Promise<any[]> => {
    const { stdout } = await cli.run("export", clanId, what, "--format", "ndjson");
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  };
  return { entries: await rows("ledger"), members: await rows("members") };
}

/** In the order of the list. */
export function expectedGains({ entries, members }: Exported, from: Date, to: Date): ExpectedGains[] {
  const since = new Map(members.map(({ platformId, membership }) => [platformId, membership]));
  const found = [...Map.groupBy(entries, ({ platformId }) => platformId)].flatMap(([platformId, ofMember]) => {
    const awards = ofMember.filter((entry) => isAward(entry) && new Date(entry.at) >= from && new Date(entry.at) < to);
    if (awards.length === 0) return [];
    const ids = new Set(awards.map(({ awardId }) => awardId));
    const counted = ofMember.filter(({ awardId, reverses }) => ids.has(awardId) || ids.has(reverses ?? ""));
    const xp = counted.reduce((sum, { applied }) => sum + BigInt(applied), 0n);
    const times = awards.map(({ at }) => at).toSorted();
    const [firstAwardAt = "", lastAwardAt = ""] = [times[0], times.at(-1)];
    const member = since.get(platformId) ?? null;
    const membership = member === null ? null : { since: member };
    return [{ platformId, xp, awards: awards.length, membership, firstAwardAt, lastAwardAt }];
  });
  found.sort((a, b) => {
    const byTime = a.lastAwardAt < b.lastAwardAt ? -1 : Number(a.lastAwardAt > b.lastAwardAt);
    return Number(b.xp - a.xp) || byTime || (a.platformId < b.platformId ? -1 : 1);
  });
  return found.map((one) => {
    const position = 1 + found.filter(({ xp }) => xp > one.xp).length;
    return { ...one, xp: one.xp.toString(), position };
  });
}

/** Of an API key, and not in the place of an award of a cancelled batch. */
function isAward({ kind, actor, batchId, reason }: ExportedEntry): boolean {
  return kind === "award" && actor === null && !(batchId !== null && reason === CANCELLED_DETAIL);
}
