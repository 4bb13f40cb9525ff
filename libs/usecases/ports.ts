// What the use cases need from the world, as types. Adapters (store, lock, queue, runtime) fill them; tests may lie through them.
import type { Award, Entry, Outcome } from "#domain/award.ts";
import type { Clan, Rank } from "#domain/clan.ts";
import type { BatchCode } from "#domain/batch-code.ts";
import type { ErrorCode } from "#domain/error-code.ts";
import type { KeyLimits } from "#domain/key-limits.ts";
import type { Head } from "#domain/member.ts";
import type { Batch } from "#usecases/batch.ts";
import type { Backlog } from "#usecases/batch-ports.ts";
import type { Key } from "#usecases/key.ts";

export type Clock = { now(): Date; /** Rises steadily, whatever is done to the wall clock. */ monotonicMs(): number };

export type Ids = { batch(): string; /** Never given twice, by any process. */ award(): string };

/** SHA-256 of a text, base64url. */
export type Digest = (text: string) => string;

export type Log = {
  debug(fields: object, event: string): void;
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
};

/** Counts what happens, for operators: plain additions, a few for a request or a flight. Nothing here waits or throws. */
export type Meter = {
  /** A request was answered; `route` is an endpoint's name, or "none". */
  request(route: string, method: string, status: number, seconds: number): void;
  problem(code: ErrorCode): void;
  rateLimit(kind: RateKind): void;
  /** What became of awards in the committer. */
  settled(answers: readonly { outcome: Outcome }[]): void;
  /** An award was refused before it came to the committer. */
  rejected(code: ErrorCode | BatchCode): void;
  flight(awards: number): void;
  commit(result: CommitResult["kind"], seconds: number): void;
  /** A flight asked for its locks, and did not get `refused` of them. */
  lock(seconds: number, refused: number): void;
  /** A flight goes without locks, since Redis gives none. */
  lockSkipped(): void;
  /** Heads that flights decided on, by how they were known. */
  heads(source: "remembered" | "read" | "validated", heads: number): void;
  sweep(requeued: number): void;
  batchDone(): void;
  keyLookup(): void;
  /** The key had to be read. */
  keyMiss(): void;
};

/** A step of a trace; only the tracer looks into it. */
export type TraceStep = object;

/** Tells where the time of an award went. Parts have null in its place while nobody collects that. */
export type Tracer = {
  /** The step that the caller is in. */
  here(): TraceStep | null;
  /** Runs a flight as a step of the requests whose awards it carries. */
  flight<T>(steps: readonly (TraceStep | null)[], run: () => Promise<T>): Promise<T>;
  commit(run: () => Promise<CommitResult>): Promise<CommitResult>;
};

/** (clan, member) in one string: the members' `_id`, and the name of a lock. */
export type MemberId = `${string}/${string}`;
export type MemberRef = { clanId: string; platformId: string };

export function memberIdOf(ref: MemberRef): MemberId {
  return `${ref.clanId}/${ref.platformId}`;
}

export function memberRefOf(id: MemberId): MemberRef {
  const [clanId = "", platformId = ""] = id.split("/");
  return { clanId, platformId };
}

/**
 * What is known of a commit that did not succeed as a whole. Its first `stored` entries are committed, journaled by a majority, and
 * nothing behind them was written.
 *
 * `conflict`: the entry at `stored` lost a race, or its key exists; reads from now on see what it conflicted with. `refused`: MongoDB
 * will never store it; `alone`: the entry at `stored` is the one to blame. `unavailable`: MongoDB cannot be reached. `unknown`: any of
 * the entries may have been written, or may be written yet.
 */
export type CommitFailure =
  | { kind: "conflict"; stored: number; cause: unknown }
  | { kind: "refused"; stored: number; alone: boolean; cause: unknown }
  | { kind: "unavailable"; stored: number; cause: unknown }
  | { kind: "unknown"; cause: unknown };
export type CommitResult = { kind: "committed" } | CommitFailure;

export type Heads = ReadonlyMap<MemberId, Head>;
export type Entries = ReadonlyMap<MemberId, ReadonlyMap<string, Entry>>;

/**
 * Entries and heads. Reads see what a majority holds, unless they say otherwise; they throw AppError `unavailable` when MongoDB cannot
 * answer.
 */
export type AwardStore = {
  /** The newest heads of those that have one. */
  readHeads(members: readonly MemberRef[]): Promise<Heads>;
  /** The same, where heads are known that are at most too old. */
  advanceHeads(known: Heads): Promise<Heads>;
  /** The heads after exactly these entries; those that do not exist, or do not tell a whole head, are left out. */
  readHeadsAt(seqs: ReadonlyMap<MemberId, number>): Promise<Heads>;
  /** The entries under these awards' keys, by member and key. `local`: also those that a majority does not hold yet. */
  readEntries(awards: readonly Award[], options?: { local?: boolean }): Promise<Entries>;
  /** One ordered insert. Each member's entries must be in order and together. */
  commit(entries: readonly Entry[]): Promise<CommitResult>;
  /** Brings the projected heads forward to these, never back. */
  project(heads: Heads): Promise<void>;
};

/** Which ledger this is: another epoch after a restore, an erasure or the start of a process. What is remembered belongs to one epoch. */
export type EpochStore = {
  read(): Promise<string>;
  draw(): Promise<void>;
  /** Draws one, unless that was done within the last minute. */
  renew(now: Date): Promise<void>;
};

/** Never throws: no Redis means no lock, which costs speed and nothing else. */
export type MemberLock = { acquire(members: readonly MemberId[]): Promise<HeldLocks> };
export type HeldLocks = {
  granted: ReadonlySet<MemberId>;
  /** The `seq` at which each member was last released. A hint: it may be missing, or wrong. */
  seqs: ReadonlyMap<MemberId, number>;
  /** `seqs`: of heads that a majority holds; the number of a member that is not among them is deleted. */
  release(seqs: ReadonlyMap<MemberId, number>): void;
};

/** What operators and owners may change of a clan. */
export type ClanSettings = Partial<Pick<Clan, "name" | "autoClan" | "xpFloor" | "xpCap" | "amountMax">>;

export type ClanStore = {
  /** False when the id is taken. */
  create(clan: Clan): Promise<boolean>;
  read(clanIds: readonly string[]): Promise<Map<string, Clan>>;
  list(): Promise<Clan[]>;
  /** The clan as changed; null when there is none, or when its floor would come to lie above its cap. */
  change(clanId: string, settings: ClanSettings & { ranks?: readonly Rank[] }): Promise<Clan | null>;
};

export type KeyStore = {
  read(keyId: string): Promise<Key | null>;
  /** Those of them that there are. */
  readMany(keyIds: readonly string[]): Promise<Key[]>;
  listOfClan(clanId: string): Promise<Key[]>;
  /** Adds the key, and in the same commit replaces the one it succeeds. False when the clan has its `liveMax` keys already. */
  add(key: Key, options: { liveMax: number; now: Date; replaces?: { keyId: string; expiresAt: Date } }): Promise<boolean>;
  /** The key as revoked (an earlier revocation stands); null when there is none. */
  revoke(keyId: string, at: Date): Promise<Key | null>;
  /** The key with those limits changed that are named; null when there is none. */
  limit(keyId: string, limits: Partial<KeyLimits>): Promise<Key | null>;
  noteUses(uses: ReadonlyMap<string, Date>): Promise<void>;
};

export type Page<Item, Position> = { items: Item[]; next: Position | null };
export type Member = MemberRef & Head;
export type MemberSort = "xp" | "platformId";
export type MemberPosition = { xp: bigint; platformId: string };

export type MemberStore = {
  read(member: MemberRef): Promise<Member | null>;
  list(clanId: string, page: { sort: MemberSort; limit: number; after: MemberPosition | null }): Promise<Page<Member, MemberPosition>>;
  /** About how many there are, in all clans. */
  estimate(): Promise<number>;
};

export type LedgerStore = {
  /** Newest first, from below `beforeSeq` on. */
  listOfMember(member: MemberRef, page: { limit: number; beforeSeq: number | null }): Promise<Page<Entry, number>>;
  /** The members of these clans with entries from `since` on, each at least once, a bounded number at a time. */
  listChanged(clanIds: readonly string[], since: Date): AsyncIterable<MemberRef[]>;
};

/** A member and an entry as the books hold them. A number that is no integer reads as null: only a hand can have written it. */
export type BooksMember = {
  platformId: string;
  xp: bigint | null;
  seq: number;
  isMember: boolean;
  /** Its fields say the same as its id. */ wellFiled: boolean;
};
export type BooksEntry = {
  clanId: string;
  platformId: string;
  seq: number;
  key: string;
  applied: bigint | null;
  xp: bigint | null;
  rank: string;
  membershipCreated: boolean;
  batchId: string | null;
  /** It stands for an award that was cancelled: nobody can apply that any more. */
  isCancellation: boolean;
  at: Date;
};

/** Everything that is kept, as it was at one moment, in streams that need no more memory for more of it. `from` is included. */
export type BooksMoment = {
  hasClan(clanId: string): Promise<boolean>;
  /** By platformId. */
  members(clanId: string, from: string): AsyncIterable<BooksMember>;
  /** By platformId, then seq. */
  entries(clanId: string, from: string): AsyncIterable<BooksEntry>;
  /** By batchId. `clanId` null: of all clans. */
  batches(clanId: string | null, from: string): AsyncIterable<Batch>;
  /** Entries that name a batch, by batchId. */
  batchEntries(clanId: string | null, from: string): AsyncIterable<BooksEntry>;
};
export type Books = {
  /** The next clan id that a clan, a member or an entry bears. */
  nextClanId(after: string): Promise<string | null>;
  /** The largest batch id that a record or an entry bears, of those at the time of asking. */
  lastBatchId(): Promise<string | null>;
  /** About how many members, entries and batches there are. */
  size(clanId: string | null): Promise<number>;
  /** Runs `read` on one moment, again on a later one when MongoDB gave that moment up. Throws AppError `unavailable`. */
  atOneMoment<T>(read: (moment: BooksMoment) => Promise<T>): Promise<T>;
};

/** What the servers tell of themselves. */
export type IndexFacts = { collection: string; missing: readonly string[]; unexpected: readonly string[] };
export type MongoFacts = {
  version: string;
  replicaSet: string | null;
  isWritablePrimary: boolean;
  /** Options of MONGO_URL that do not count. */
  ignoredOptions: readonly string[];
  /** Why a majority did not confirm a write; null: it did. */
  majorityFault: string | null;
  /** Null: the server does not tell. */
  transactionLifetimeS: number | null;
  indexes: readonly IndexFacts[];
  /** The server's clock, minus ours. */
  aheadMs: number;
  backlog: Backlog;
};
export type RedisFacts = {
  version: string;
  evictionPolicy: string | null;
  appendOnly: boolean | null;
  aheadMs: number;
  queue: { paused: boolean; failed: number };
};

/** What is counted of a key: its requests, and the awards in them. Each has a token bucket that all processes share. */
export type RateKind = "requests" | "awards";
/** `remaining`: what could be taken at once now. `retryAfterMs`: when a refused amount will be there; null: never, it is more than the bucket holds. */
export type RateVerdict = { admitted: true; remaining: number } | { admitted: false; remaining: number; retryAfterMs: number | null };
/** Never throws: without Redis each process admits its share. */
export type RateLimiter = { take(request: { keyId: string; kind: RateKind; perSecond: number; amount: number }): Promise<RateVerdict> };
