// How a command fails. Scripts branch on the code and the exit code, never on the text.
import { distance } from "fastest-levenshtein";

/** 1: a negative result, or not found. 2: invalid usage. 3: a server is unreachable or busy; a retry may succeed. */
const exitCodeOf = {
  usage: 2,
  clan_taken: 1,
  clan_not_found: 1,
  rank_not_found: 1,
  rank_not_appointable: 1,
  member_not_found: 1,
  key_not_found: 1,
  key_not_live: 1,
  too_many_keys: 1,
  board_not_found: 1,
  period_not_found: 1,
  too_many_boards: 1,
  season_overlaps: 1,
  slug_taken: 1,
  boost_not_found: 1,
  too_many_boosts: 1,
  batch_not_found: 1,
  batch_done: 1,
  reset_has_begun: 1,
  reset_not_found: 1,
  too_many_resets: 1,
  cursor_expired: 1,
  not_confirmed: 1,
  account_taken: 1,
  account_not_found: 1,
  account_is_operator: 1,
  grant_not_found: 1,
  destination_not_found: 1,
  event_not_found: 1,
  too_many_destinations: 1,
  secrets_key_missing: 1,
  destination_rejected: 1,
  hook_not_found: 1,
  too_many_hooks: 1,
  hook_key_missing: 1,
  internal: 1,
  no_notifier: 3,
  busy: 3,
  unreachable: 3,
} as const;

export type CliErrorCode = keyof typeof exitCodeOf;

/** Thrown by a command. `faults`: all faults of its arguments, one sentence each. */
export class CliError extends Error {
  readonly code: CliErrorCode;
  readonly faults: readonly string[];

  constructor(code: CliErrorCode, message: string, options: { faults?: readonly string[]; cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "CliError";
    this.code = code;
    this.faults = options.faults ?? [];
  }

  get exitCode(): number {
    return exitCodeOf[this.code];
  }
}

/** Rejects invalid arguments, reporting all of them together. */
export function rejectFaults(faults: readonly string[]): void {
  const [first, ...others] = faults;
  if (first === undefined) return;
  throw new CliError("usage", others.length === 0 ? first : `${faults.length} invalid arguments:`, { faults });
}

/** ` Did you mean "demo"?`, or an empty text if no candidate is similar. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  // A third of the letters may differ, but at least two, because two swapped letters count as two.
  let farthest = Math.max(2, Math.floor(word.length / 3));
  let nearest: string | null = null;
  for (const candidate of candidates) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase());
    // A word that shares no letter is never suggested, however short both are.
    if (steps > farthest || steps >= Math.max(word.length, candidate.length)) continue;
    if (steps === farthest && nearest !== null) continue;
    nearest = candidate;
    farthest = steps;
  }
  return nearest === null ? "" : ` Did you mean "${nearest}"?`;
}
