// Programs of somebody who depends on the package, as texts: they are run and compiled outside of this repository.

/** Plain JavaScript that every runtime understands, behind the import of its kind of module. */
export const everyMethod = `
const [baseUrl, clanId, apiKey, platformId] = process.argv.slice(2);
const clan = new ClanXp({ baseUrl, clanId, apiKey });
const queue = clan.queue({ flushMs: 20 });
const first = await clan.award(platformId, 150, { cause: "match-81", source: { matchId: "81" } });
const again = await clan.award(platformId, 150, { cause: "match-81", source: { matchId: "81" } });
const queued = await Promise.all([1, 1, 1].map((amount, n) => queue.add(platformId, amount, { cause: "m" + n })));
const closed = await queue.close();
const amounts = [];
for await (const entry of clan.ledger(platformId, { pageSize: 2 })) amounts.push(entry.amount);
const wrong = await clan.award("..", 1).catch((error) => error instanceof ClanXpError && error.code);
const stranger = new ClanXp({ baseUrl, clanId, apiKey: apiKey.slice(0, -1) + "!" });
const rejected = await stranger.clan().catch((error) => [error.code, error.status]);
process.stdout.write(JSON.stringify({
  first: [first.xp, first.rank, first.replayed],
  again: [again.xp, again.rank, again.replayed],
  queued: queued.map(({ xp }) => xp),
  member: (await clan.member(platformId)).xp,
  amounts,
  events: (await clan.eventPage({ after: "now" })).events,
  missing: await clan.member(platformId + "-nobody"),
  wrong, rejected, closed,
  classes: [clan.constructor.name, ClanXpError.name],
  secret: JSON.stringify([clan, queue]).includes(apiKey),
}));
// Nobody waits for this one: it keeps the process alive until it is settled.
clan.queue().add(platformId + "-late", 7);
`;

const uses = `
const clan: ClanXp = new ClanXp({ baseUrl: "https://xp.example.com", clanId: "rovers", apiKey: async () => "cxp_key" });
const queue: AwardQueue = clan.queue({ flushMs: 100, maxEntries: 50, maxPending: 500, deadlineMs: 60_000,
  onDropped(award, error) {
  const [id, amount, reason, code]: [string, number, string | undefined, string] = [award.platformId, award.amount,
    award.reason, error.code];
  void [id, amount, reason, code, error.status, error.errors?.[0]?.pointer];
} });
export async function all(source: Source, options: CallOptions): Promise<void> {
  const award: AwardResult = await clan.award("p", 5, { reason: "won", source, cause: "m", change: true, ...options });
  const next: string | null | undefined = award.change?.nextRank;
  const { applied, results }: { applied: number; results: EntryResult[] } = await clan.awards([{ platformId: "p",
    amount: 5 }], { change: true });
  for (const result of results) {
    const key: string = result.idempotencyKey;
    if (result.status === "applied" || result.status === "replayed") void [key, result.xp, result.rank, result.change?.awardId,
      result.change?.boost?.percent, result.change?.limitedBy];
    else void [result.error.code, result.error.detail];
  }
  const member: Member | null = await clan.member("p", options);
  for await (const one of clan.members({ sort: "platformId", pageSize: 10 })) void one.membership?.since;
  for await (const entry of clan.ledger("p")) { const one: LedgerEntry = entry; void [one.kind, one.reverses,
    one.reversedBy]; }
  const page: EventPage = await clan.eventPage({ after: "now", types: ["member.*"], limit: 10, waitS: 5, ...options });
  for await (const event of clan.events({ after: page.cursor, types: ["member.*"], waitS: 20 })) {
    const one: ClanEvent = event;
    if (one.type === "member.rank_changed") void [one.cursor, one.data.rank, one.data.ranksPassed[0]];
  }
  const rovers: Clan = await clan.clan();
  const batch: Batch = await clan.submitBatch([{ platformId: "p", amount: 5 }], { idempotencyKey: "k", waitS: 5 });
  const { awards, members, amount } = await clan.previewReversal({ platformId: "p", awardId: "awd_1" });
  const { reversalId, status } = await clan.reverse({ keyId: "k", from: "2026-11-22T00:00:00Z" }, { reason: "cheating", idempotencyKey: "k" });
  const reversal: Reversal = await clan.reversal(reversalId);
  const added: AwardResult = await queue.add("p", 5, { reason: "won", idempotencyKey: "k" });
  const counts: { delivered: number; dropped: number } = await queue.close({ deadlineMs: 1_000 });
  const pending: number = queue.pending;
  await queue.flush();
  void [next, applied, member, rovers.ranks[0]?.threshold, batch.batchId, awards + members, amount, status,
    reversal.skipped, added, counts, pending];
}
export function judge(error: unknown): string | undefined {
  return error instanceof ClanXpError && error.retryable && error.code === "timeout" ? error.idempotencyKey : undefined;
}
// @ts-expect-error -- an amount is a number
void clan.award("p", "5");
// @ts-expect-error -- a key is needed
new ClanXp({ baseUrl: "https://xp.example.com", clanId: "rovers" });
`;
const types =
  "AwardOptions, AwardQueue, AwardResult, Batch, CallOptions, Clan, ClanEvent, EntryResult, EventPage, LedgerEntry, Member, Reversal, Source";

export const typed = `import { ClanXp, ClanXpError, type ${types.replaceAll(", ", ", type ")} } from "@clanxp/client";\nexport type Kept = AwardOptions;\n${uses}`;
export const compiled = `import { ClanXp, ClanXpError } from "@clanxp/client";\nimport type { ${types} } from "@clanxp/client";\nexport type Kept = AwardOptions;\n${uses}`;
