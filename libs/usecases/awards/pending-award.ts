// One award and the caller who waits for it, as a state machine. All rules about what the caller may receive are in
// this file.
//
//       +----------------suspected--------------------+
//       |                                             v
//     queued ---began---> committing ---unknown---> in-doubt ---began---> recommitting
//        ^                    |                        ^                       |
//        +------absent--------+                        +----absent, unknown----+
//
// Every state can change to `answered`: by the outcome, an error or the deadline, whichever comes first. An award in
// doubt stays so until its entry is found: a commit of it may still take effect, so an answer that says "not applied"
// could be false.
import { AppError } from "#domain/app-error.ts";
import type { Award, Entry, Outcome } from "#domain/award.ts";
import type { TraceStep } from "#usecases/ports.ts";

export type PendingState = "queued" | "committing" | "in-doubt" | "recommitting" | "answered";

export type PendingAward = {
  readonly award: Award;
  /** The step in which the caller waits, for traces. */
  readonly step: TraceStep | null;
  state(): PendingState;
  isOpen(): boolean;
  /** Whether a commit of it has begun: an entry may exist under its key although no other process knows that key. */
  wasTried(): boolean;
  /** A commit of it begins. From now on the deadline can only answer `outcome_unknown`. */
  began(): void;
  /**
   * The commit did not write it. `trouble`: what prevented MongoDB from responding; null if that was not the reason.
   */
  absent(trouble: unknown): void;
  /** The commit ended without a result. `entry`: what it would have written for this award; null if nothing. */
  unknown(entry: Entry | null, trouble: unknown): void;
  /** An entry exists under its key that a majority does not hold yet: the commit of another process may take effect. */
  suspected(): void;
  /** Nothing could be read for it. */
  delayed(trouble: unknown): void;
  /**
   * The outcome in the form that its caller may receive; null if it must not be returned and the award continues to
   * wait.
   */
  returnable(outcome: Outcome): Outcome | null;
  /** Answers with a returnable outcome. */
  answer(outcome: Outcome): void;
  /** Fails an award that the store rejects for good. False if the award is in doubt: then it waits for its deadline. */
  refuse(cause: unknown): boolean;
  /**
   * Its member is being erased. This ends the wait of a job's award, whose job reads its record again; other awards
   * wait until the erasure ends.
   */
  held(): void;
  wasHeld(): boolean;
};

type Event = "began" | "absent" | "unknown" | "suspected";

const NEXT: Record<PendingState, Partial<Record<Event, PendingState>>> = {
  queued: { began: "committing", suspected: "in-doubt" },
  committing: { absent: "queued", unknown: "in-doubt" },
  "in-doubt": { began: "recommitting" },
  recommitting: { absent: "in-doubt", unknown: "in-doubt" },
  answered: {},
};

const IN_DOUBT: ReadonlySet<PendingState> = new Set(["in-doubt", "recommitting"]);

/**
 * `closed` is called once, when the award is answered, for whatever reason.
 * Long: one state machine; each transition is read beside the state that it changes.
 */
export function makePendingAward(
  award: Award,
  deadlineMs: number,
  caller: {
    step: TraceStep | null;
    resolve: (outcome: Outcome) => void;
    reject: (error: AppError) => void;
    closed: () => void;
  },
): PendingAward {
  let state: PendingState = "queued";
  let tried = false;
  let held = false;
  let trouble: unknown = null;
  /**
   * Its entries in commits that ended without a result. If one of them is in the ledger, this award wrote it, and it is
   * no replay.
   */
  let possible: readonly Entry[] = [];
  const deadline = setTimeout(() => reject(deadlineError(state, trouble)), deadlineMs);

  function move(event: Event): void {
    state = NEXT[state][event] ?? state;
  }

  function close(): boolean {
    if (state === "answered") return false;
    state = "answered";
    clearTimeout(deadline);
    caller.closed();
    return true;
  }

  function reject(error: AppError): void {
    if (close()) caller.reject(error);
  }

  /**
   * A replay, unless the award itself wrote the entry in a commit without a result. If two processes decided on the
   * same head in the same millisecond, both without a result, both report it as their own. It still counts once.
   */
  function asOwnIfWritten(outcome: Outcome): Outcome {
    if (outcome.kind !== "replayed") return outcome;
    const { entry } = outcome;
    const isOwn = possible.some(({ seq, at }) => seq === entry.seq && at.getTime() === entry.at.getTime());
    return isOwn ? { kind: "applied", entry } : outcome;
  }

  return {
    award,
    step: caller.step,
    state: () => state,
    isOpen: () => state !== "answered",
    wasTried: () => tried,
    began() {
      tried = true;
      move("began");
    },
    absent(cause) {
      trouble = cause;
      move("absent");
    },
    unknown(entry, cause) {
      trouble = cause;
      if (entry) possible = [...possible, entry];
      move("unknown");
    },
    suspected: () => move("suspected"),
    delayed(cause) {
      trouble = cause;
    },
    returnable(outcome) {
      // No member now, but a commit of the award may still take effect. (A key that another award has bound can never
      // become this one's.)
      if (IN_DOUBT.has(state) && outcome.kind === "rejected" && outcome.code === "member_not_found") return null;
      return asOwnIfWritten(outcome);
    },
    answer(outcome) {
      if (close()) caller.resolve(outcome);
    },
    refuse(cause) {
      trouble = cause;
      if (IN_DOUBT.has(state)) return false;
      reject(new AppError("internal", "The award could not be stored. Nothing was applied.", { cause }));
      return true;
    },
    wasHeld: () => held,
    held() {
      held = true;
      // If a reversal waited, it would deduct from the XP after the erasure what was awarded before it.
      const isOfJob = award.batchId !== undefined || award.kind === "reversal";
      if (!isOfJob || IN_DOUBT.has(state)) return;
      reject(new AppError("busy", "The member is being erased. Nothing was applied: try again shortly."));
    },
  };
}

/** What is true of an award whose deadline has passed. */
function deadlineError(state: PendingState, cause: unknown): AppError {
  if (state !== "queued") {
    return new AppError(
      "outcome_unknown",
      "It is not known whether the award was applied. Retry with the same Idempotency-Key.",
      {
        cause,
      },
    );
  }
  if (cause)
    return new AppError("unavailable", "The database cannot be reached. Nothing was applied: try again shortly.", {
      cause,
    });
  return new AppError(
    "busy",
    "The award timed out while it waited to be committed. Nothing was applied: try again shortly.",
  );
}
