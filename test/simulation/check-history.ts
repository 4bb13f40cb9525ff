// What must be true of a simulated history, besides what callers and ledger say of each other.
import { headAfter } from "#domain/head.ts";
import { reversalDisagreements } from "../support/corrections-oracle.ts";
import { gainDisagreements } from "../support/gains-oracle.ts";
import { disagreements } from "../support/oracle.ts";
import { expectedReversals } from "./operators.ts";
import type { History } from "./simulate.ts";

/**
 * An award that has waited for its lock in vain goes without, which makes it and the next one conflict; that happens in
 * few histories. A head that is remembered wrongly conflicts at every award.
 */
const CALM_CONFLICTS_MAX = 4;

/** Everything that is wrong with it; empty when every guarantee was kept. */
export function faultsOf(history: History): string[] {
  const { sent: submitted, store, platformIds, isCalm, conflicts, killed, restoredAtMs, erased } = history;
  const ledger = store.entries();
  // What was asked before a backup was restored, or the member's chain was closed, may be lost, or applied again.
  const isOfBefore = ({ platformId, firstSentAtMs }: History["sent"][number]): boolean =>
    firstSentAtMs <= restoredAtMs ||
    erased.some(
      (one) => one.platformId === platformId && firstSentAtMs <= (store.fencedAtMs(one.erasureId) ?? one.endedAtMs),
    );
  const sent = submitted.map((award) => (isOfBefore(award) ? { ...award, answers: [NOBODY_KNOWS] } : award));
  // An insert that was on its way when its caller asked what was answered last may land later: no answer could know.
  const isLate = (name: string): boolean => {
    const entry = ledger.find((one) => `${one.platformId} ${one.key}` === name);
    const award = sent.find(({ platformId, key }) => `${platformId} =${key}` === name);
    return entry !== undefined && award !== undefined && store.insertedAtMs(entry) >= award.lastSentAtMs;
  };
  return [
    ...disagreements(sent, ledger, isLate),
    ...reversalDisagreements(expectedReversals(history), ledger),
    ...gainDisagreements(ledger, () => history.clan),
    ...erased.flatMap((erasure) => survivorsOf(store, erasure)),
    ...store.fencedMembers().map((id) => `${id}: its chain is still closed`),
    ...platformIds.flatMap((platformId) => faultsOfMember(store, platformId)),
    ...(killed ? [] : sent.flatMap((award) => unprojected(store, award))),
    ...(isCalm && conflicts > CALM_CONFLICTS_MAX ? [`${conflicts} conflicts although nothing went wrong`] : []),
  ];
}

function survivorsOf(store: History["store"], { platformId, beganAtMs }: History["erased"][number]): string[] {
  const survivors = store
    .entries()
    .filter((entry) => entry.platformId === platformId && store.insertedAtMs(entry) < beganAtMs);
  return survivors.map(({ seq }) => `${platformId}: entry ${seq} survived the erasure`);
}

const NOBODY_KNOWS = { status: 0, xp: null, replayed: false, code: null } as const;

function faultsOfMember(store: History["store"], platformId: string): string[] {
  const entries = store.entries().filter((entry) => entry.platformId === platformId);
  const found: string[] = [];
  const before = store.projected({ clanId: "c", platformId });
  const projected = entries.find((entry) => entry.seq === before?.seq);
  if (before && !projected) found.push(`${platformId}: the projected seq ${before.seq} is in no entry`);
  if (before && projected && JSON.stringify(headAfter(projected), text) !== JSON.stringify(before, text)) {
    found.push(`${platformId}: the projected head is not that of entry ${before.seq}`);
  }
  return found;
}

/** What was acknowledged is in the list of members, in the end. */
function unprojected(store: History["store"], { platformId, key, answers }: History["sent"][number]): string[] {
  if (!answers.some(({ status }) => status === 200)) return [];
  const seq = store.entries().find((entry) => entry.platformId === platformId && entry.key === `=${key}`)?.seq ?? 0;
  const projected = store.projected({ clanId: "c", platformId })?.seq ?? 0;
  return projected < seq ? [`${platformId}: projected up to ${projected}, entry ${seq} was acknowledged`] : [];
}

const text = (_: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value);
