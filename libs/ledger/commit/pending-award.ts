// One award and the caller who waits for it, as a state machine. All rules about the responses that the caller may
// receive are in this file.
//
//       +---------------unconfirmed-------------------+
//       |                                             v
//     queued ---began---> committing ---unknown---> in-doubt ---began---> recommitting
//        ^                    |                        ^                       |
//        +------absent--------+                        +----absent, unknown----+
//
// Every state can change to `answered`: by the outcome, an error or the deadline, whichever comes first. An award in
// doubt stays so until its entry is found: a commit of it may still take effect, so a response that says "not applied"
// could be false.
import { AppError } from "#kernel/app-error.ts";
import type { Award } from "#domain/award.ts";
import type { Entry } from "#domain/entry.ts";
import type { Outcome } from "#domain/outcome.ts";
import { memberIdOf, type MemberId } from "#domain/member-id.ts";
import type { TraceStep } from "#ledger/ports.ts";

export type PendingState = "queued" | "committing" | "in-doubt" | "recommitting" | "answered";

export type PendingAward = {
  readonly award: Award;
  /** Whose award it is. */
  readonly member: MemberId;
  /** The step in which the caller waits, for traces. */
  readonly step: TraceStep | null;
  state(): PendingState;
  isOpen(): boolean;
  /** Whether a commit of it has begun: an entry may exist under its key although no other process knows that key. */
  wasTried(): boolean;
  /** A commit of it begins. From now on the deadline can only answer `outcome_unknown`. */
  began(): void;
  /**
   * The commit did not write it. `cause`: what prevented MongoDB from responding; null if that was not the reason.
   */
  absent(cause: unknown): void;
  /** The commit ended without a result. `entry`: what it would have written for this award; null if nothing. */
  unknown(entry: Entry | null, cause: unknown): void;
  /** An entry exists under its key that a majority does not hold yet: the commit of another process may take effect. */
  unconfirmed(): void;
  /** Nothing could be read for it. */
  delayed(cause: unknown): void;
  /**
   * The outcome in the form that its caller may receive; null if it must not be returned and the award continues to
   * wait.
   */
  returnable(outcome: Outcome): Outcome | null;
  /** Resolves with a returnable outcome. */
  resolve(outcome: Outcome): void;
  /** Fails an award that the store rejects for good. False if the award is in doubt: then it waits for its deadline. */
  reject(cause: unknown): boolean;
  /**
   * Its member is being erased. This ends the wait of a job's award, whose job reads its record again; other awards
   * wait until the erasure ends.
   */
  blocked(): void;
  wasBlocked(): boolean;
  /** Ends the wait of an award whose member is being erased, unless the award is in doubt. */
  shed(): void;
};

type Event = "began" | "absent" | "unknown" | "unconfirmed";

const NEXT: Record<PendingState, Partial<Record<Event, PendingState>>> = {
  queued: { began: "committing", unconfirmed: "in-doubt" },
  committing: { absent: "queued", unknown: "in-doubt" },
  "in-doubt": { began: "recommitting" },
  recommitting: { absent: "in-doubt", unknown: "in-doubt" },
  answered: {},
};

const IN_DOUBT: ReadonlySet<PendingState> = new Set(["in-doubt", "recommitting"]);

type Caller = {
  step: TraceStep | null;
  resolve: (outcome: Outcome) => void;
  reject: (error: AppError) => void;
  closed: () => void;
};

/** `closed` is called once, when the award is answered, for whatever reason. */
export function makePendingAward(award: Award, deadlineMs: number, caller: Caller): PendingAward {
  return new OneAward(award, deadlineMs, caller);
}

/** A class, because a closure for each method would be allocated for each award. */
class OneAward implements PendingAward {
  readonly award: Award;
  readonly member: MemberId;
  readonly step: TraceStep | null;
  #caller: Caller;
  #deadline: NodeJS.Timeout;
  #state: PendingState = "queued";
  #tried = false;
  #blocked = false;
  #cause: unknown = null;
  /**
   * Its entries in commits that ended without a result. If one of them is in the ledger, this award wrote it, so it is
   * not a replay.
   */
  #possible: readonly Entry[] = [];

  constructor(award: Award, deadlineMs: number, caller: Caller) {
    this.award = award;
    this.member = memberIdOf(award);
    this.step = caller.step;
    this.#caller = caller;
    this.#deadline = setTimeout(() => this.#reject(deadlineError(this.#state, this.#cause)), deadlineMs);
  }

  #move(event: Event): void {
    this.#state = NEXT[this.#state][event] ?? this.#state;
  }

  #close(): boolean {
    if (this.#state === "answered") return false;
    this.#state = "answered";
    clearTimeout(this.#deadline);
    this.#caller.closed();
    return true;
  }

  #reject(error: AppError): void {
    if (this.#close()) this.#caller.reject(error);
  }

  /**
   * A replay, unless the award itself wrote the entry in a commit without a result. If two processes decided on the
   * same head in the same millisecond, both without a result, both report it as their own. It still counts once.
   */
  #asOwnIfWritten(outcome: Outcome): Outcome {
    if (outcome.kind !== "replayed") return outcome;
    const { entry } = outcome;
    const isOwn = this.#possible.some(({ seq, at }) => seq === entry.seq && at.getTime() === entry.at.getTime());
    return isOwn ? { kind: "applied", entry } : outcome;
  }

  state(): PendingState {
    return this.#state;
  }

  isOpen(): boolean {
    return this.#state !== "answered";
  }

  wasTried(): boolean {
    return this.#tried;
  }

  began(): void {
    this.#tried = true;
    this.#blocked = false;
    this.#move("began");
  }

  absent(cause: unknown): void {
    this.#cause = cause;
    this.#move("absent");
  }

  unknown(entry: Entry | null, cause: unknown): void {
    this.#cause = cause;
    if (entry) this.#possible = [...this.#possible, entry];
    this.#move("unknown");
  }

  unconfirmed(): void {
    this.#move("unconfirmed");
  }

  delayed(cause: unknown): void {
    this.#cause = cause;
  }

  returnable(outcome: Outcome): Outcome | null {
    // The player is not a member now, but a commit of the award may still take effect. (A key that another award has
    // bound can never be bound to this one.)
    if (IN_DOUBT.has(this.#state) && outcome.kind === "rejected" && outcome.code === "member_not_found") return null;
    return this.#asOwnIfWritten(outcome);
  }

  resolve(outcome: Outcome): void {
    if (this.#close()) this.#caller.resolve(outcome);
  }

  reject(cause: unknown): boolean {
    this.#cause = cause;
    if (IN_DOUBT.has(this.#state)) return false;
    this.#reject(new AppError("internal", "The award could not be stored. Nothing was applied.", { cause }));
    return true;
  }

  wasBlocked(): boolean {
    return this.#blocked;
  }

  blocked(): void {
    this.#blocked = true;
    // If a reversal or a reset waited, it would deduct XP that was awarded before the erasure from the XP after it.
    const { award } = this;
    const isOfJob = award.batchId !== undefined || award.kind === "reversal" || award.kind === "reset";
    if (isOfJob) this.shed();
  }

  shed(): void {
    if (IN_DOUBT.has(this.#state)) return;
    this.#reject(new AppError("busy", "The member is being erased. Nothing was applied: try again shortly."));
  }
}

/** The error for an award whose deadline has passed. */
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
