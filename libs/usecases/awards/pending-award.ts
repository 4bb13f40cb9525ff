// One award and the caller who waits for it, as a state machine. All rules of what the caller may be told are in this
// file.
//
//       +----------------suspected--------------------+
//       |                                             v
//     queued ---began---> committing ---unknown---> in-doubt ---began---> recommitting
//        ^                    |                        ^                       |
//        +------absent--------+                        +----absent, unknown----+
//
// `answered` follows from every state: by the outcome, by an error, or by the deadline, whichever comes first. Once in
// doubt, an award stays so until its entry is found: a commit of it may still take effect, so nothing that says "not
// applied" is true.
import { AppError } from "#domain/app-error.ts";
import type { Award, Entry, Outcome } from "#domain/award.ts";
import type { TraceStep } from "#usecases/ports.ts";

export type PendingState = "queued" | "committing" | "in-doubt" | "recommitting" | "answered";

export type PendingAward = {
  readonly award: Award;
  /** What its caller waits in, for traces. */
  readonly step: TraceStep | null;
  state(): PendingState;
  isOpen(): boolean;
  /** A commit of it was begun: an entry may exist under its key although nobody else knows that key. */
  wasTried(): boolean;
  /** A commit of it begins. From here on its deadline can only say "unknown". */
  began(): void;
  /**
   * The commit wrote nothing of it. `trouble`: what kept MongoDB from answering, null where that was not the reason.
   */
  absent(trouble: unknown): void;
  /** The commit ended without a result. `entry`: what it would have written for this award, null for nothing. */
  unknown(entry: Entry | null, trouble: unknown): void;
  /**
   * An entry exists under its key that a majority does not hold yet: another process's commit of it may take effect.
   */
  suspected(): void;
  /** Nothing could be read for it. */
  delayed(trouble: unknown): void;
  /** The outcome as its caller may be told it; null where it may not be told, and the award waits on. */
  returnable(outcome: Outcome): Outcome | null;
  /** Tells a returnable outcome. */
  answer(outcome: Outcome): void;
  /** Gives up an award that the store refuses for good; false where it is in doubt, and waits for its deadline. */
  refuse(cause: unknown): boolean;
  /**
   * Its member is being erased. Ends the wait of a job's award, whose job reads its record again; others wait for the
   * end of it.
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
 * `closed` is called once, when the award is answered, whatever by.
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
  /** Its entries in commits that ended without a result: one of them in the ledger is its own doing, not a replay. */
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
   * A replay, unless the entry is what the award itself wrote in a commit without a result. Should two processes have
   * decided it on the same head in the same millisecond, both without a result, both call it theirs: it counts once all
   * the same.
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
      // Not a member now, but a commit of it may still take effect. (A key that another award has bound can never
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
      // A reversal that waited would take back from the XP after the erasure what was awarded before.
      const isOfJob = award.batchId !== undefined || award.kind === "reversal";
      if (!isOfJob || IN_DOUBT.has(state)) return;
      reject(new AppError("busy", "The member is being erased. Nothing was applied: try again shortly."));
    },
  };
}

/** What is true of an award that ran out of time. */
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
