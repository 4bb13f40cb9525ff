// The client: one method for each endpoint. The API key is in a private field, which no inspection shows.
import type { Answer, Body, Config, Request } from "./attempt.ts";
import { makeAwardQueue } from "./award-queue.ts";
import { call } from "./call.ts";
import { check, checkId, checkInteger, checkOptions, checkPlatformId } from "./check.ts";
import { configOf } from "./config.ts";
import { followEvents, readEventPage } from "./events.ts";
import { awardFields, awardOptions, memberOptions } from "./option-names.ts";
import { awardsOf, checkAward, describeAward } from "./prepare-award.ts";
import { readBoards, readStandings } from "./read-boards.ts";
import { readGains, readGainsPage, readMemberGains } from "./read-gains.ts";
import { readPages } from "./read-pages.ts";
import { including, nullIfMissing, readAround, readNamed } from "./read-members.ts";
import { hasResults, readResults } from "./read-results.ts";
import { sendBatch } from "./send-batch.ts";
import { sendNames } from "./send-names.ts";
import { previewReversal, sendReversal } from "./send-reversal.ts";
import type {
  AroundOptions,
  AwardEntry,
  AwardOptions,
  AwardQueue,
  AwardResult,
  Batch,
  BatchEntry,
  CallOptions,
  ClanEvent,
  ClanXpOptions,
  EntryResult,
  EventPageOptions,
  EventsOptions,
  GainsOptions,
  GainsPageOptions,
  LedgerEntry,
  MemberGainsOptions,
  MemberOptions,
  NamedMember,
  NamedMembers,
  QueueOptions,
  ReversalBy,
  StandingsOptions,
} from "./types.ts";
import type {
  AwardAnswer,
  Board,
  Clan,
  EventPage,
  GainsPage,
  GainsRow,
  Member,
  MemberGains,
  MemberPage,
  Reversal,
  ReversalAccepted,
  ReversalPreview,
  StandingPage,
} from "./wire.ts";
import { withQuery } from "./with-query.ts";

/** The API's limit for one call. */
const ENTRIES_MAX = 100;

export class ClanXp {
  static {
    Object.defineProperty(this, "name", { value: "ClanXp" });
  }

  readonly #config: Config;

  constructor(options: ClanXpOptions) {
    this.#config = configOf(options);
  }

  /** Applies one award. It is counted once, however many attempts it needs. */
  async award(
    platformId: string,
    amount: number,
    options: AwardOptions & CallOptions & { /** Adds `change` to the result. */ change?: boolean | undefined } = {},
  ): Promise<AwardResult> {
    checkOptions(options, `${awardOptions} change `);
    const { platformId: _, idempotencyKey, ...payload } = describeAward(platformId, amount, options);
    checkAward({ platformId, amount }, options);
    const path = `/members/${encodeURIComponent(platformId)}/xp${options.change ? "?include=change" : ""}`;
    const { body, headers, requestId } = await this.#post(path, payload, "xp", options, idempotencyKey);
    return {
      ...(body as AwardAnswer),
      replayed: headers.get("idempotency-replayed") === "true",
      idempotencyKey,
      requestId,
    };
  }

  /**
   * Applies 1 to 100 awards in one call. Each succeeds or fails alone: `failed` ones may be sent again under their
   * keys.
   */
  async awards(
    entries: AwardEntry[],
    options: CallOptions & { change?: boolean | undefined } = {},
  ): Promise<{ applied: number; results: EntryResult[] }> {
    checkOptions(options, "change ");
    const awards = awardsOf(entries, awardFields);
    checkInteger("the number of entries", awards.length, 1, ENTRIES_MAX);
    const path = `/awards${options.change ? "?include=change" : ""}`;
    const accepts = (body: Body): boolean => hasResults(body, awards.length);
    const { body } = await this.#post(path, { awards }, accepts, options);
    return {
      applied: body["applied"] as number,
      results: readResults(body).map((result, index) => ({
        ...result,
        idempotencyKey: awards[index]?.idempotencyKey ?? "",
      })),
    };
  }

  /** The member, or null if nothing is stored for them. */
  async member(platformId: string, options: MemberOptions = {}): Promise<Member | null> {
    checkPlatformId(platformId);
    checkOptions(options, `${memberOptions} `);
    const path = withQuery(`/members/${encodeURIComponent(platformId)}`, including(options));
    return this.#get<Member>(path, "xp", options).catch(nullIfMissing);
  }

  /** These members, in this order, and those of them of whom nothing is stored. 100 members need one request. */
  membersById(platformIds: string[], options: MemberOptions = {}): Promise<NamedMembers> {
    return readNamed(this.#config, platformIds, options);
  }

  /**
   * A part of the leaderboard with positions: the member, with as many above as below. Null if the member is not in it.
   * `limit`: how many members, 1 to 200, by default 11.
   */
  around(platformId: string, options: AroundOptions = {}): Promise<MemberPage | null> {
    return readAround(this.#config, platformId, options);
  }

  /**
   * All members, by default those with the most XP first. Invalid arguments are thrown by the first step of the
   * iteration.
   */
  members(
    options: MemberOptions & { sort?: "xp" | "platformId" | undefined; pageSize?: number | undefined } = {},
  ): AsyncIterable<Member> {
    return readPages(this.#config, "members", options, () => {
      checkOptions(options, `sort pageSize ${memberOptions} `);
      const { sort } = options;
      check(sort === undefined || sort === "xp" || sort === "platformId", "sort must be xp or platformId");
      return ["/members", { sort, ...including(options) }];
    });
  }

  /** A member's entries, newest first. Invalid arguments are thrown by the first step of the iteration. */
  ledger(
    platformId: string,
    options: CallOptions & { pageSize?: number | undefined } = {},
  ): AsyncIterable<LedgerEntry> {
    return readPages(this.#config, "entries", options, () => {
      checkOptions(options, "pageSize ");
      checkPlatformId(platformId);
      return [`/members/${encodeURIComponent(platformId)}/ledger`];
    });
  }

  /**
   * Everybody with an award in a span, by the XP that they gained in it, also who has left since. Waits while the span
   * is counted. Invalid arguments are thrown by the first step of the iteration.
   */
  gains(options: GainsOptions): AsyncIterable<GainsRow> {
    return readGains(this.#config, options);
  }

  /** One page, those around a member, or named members. Null if the member of `around` has no award in the span. */
  gainsPage(options: GainsPageOptions & { around?: undefined }): Promise<GainsPage>;
  gainsPage(options: GainsPageOptions): Promise<GainsPage | null>;
  gainsPage(options: GainsPageOptions): Promise<GainsPage | null> {
    return readGainsPage(this.#config, options);
  }

  /**
   * What a member gained in each day, week or month of a span, oldest first; null if nothing is stored for them. `from`
   * is inclusive, `to` exclusive.
   */
  memberGains(platformId: string, options: MemberGainsOptions): Promise<MemberGains | null> {
    return readMemberGains(this.#config, platformId, options);
  }

  /**
   * Every event of the clan, each with its `cursor`; never ends by itself. What is retryable is retried for ever, unless
   * `retries` or `deadlineMs` is given.
   */
  events(options: EventsOptions & CallOptions = {}): AsyncIterable<ClanEvent> {
    return followEvents(this.#config, options);
  }

  /** One page of events; if there is none, the API waits up to `waitS` seconds (default 0). */
  eventPage(options: EventPageOptions & CallOptions = {}): Promise<EventPage> {
    return readEventPage(this.#config, options);
  }

  /** The clan's boards, each with the period that is running. */
  boards(options: CallOptions = {}): Promise<Board[]> {
    return readBoards(this.#config, options);
  }

  /**
   * The members of a period by the XP that they gained in it, by default the running one: a page, those around a
   * member, or named members. Null if the member of `around` is not on the board. The codes of errors include
   * `board_not_found` and `period_not_found`.
   */
  standings(boardId: string, options?: StandingsOptions & { around?: undefined }): Promise<StandingPage>;
  standings(boardId: string, options: StandingsOptions): Promise<StandingPage | null>;
  standings(boardId: string, options: StandingsOptions = {}): Promise<StandingPage | null> {
    return readStandings(this.#config, boardId, options);
  }

  /** The clan and its ranks. */
  async clan(options: CallOptions = {}): Promise<Clan> {
    checkOptions(options);
    return this.#get("", "clanId", options);
  }

  /**
   * Submits a batch and waits up to `waitS` seconds for its results; this time is added to the timeout of an attempt.
   * @deprecated Use `awards()` or a queue: they create memberships and store reasons.
   */
  submitBatch(
    awards: BatchEntry[],
    options: CallOptions & { idempotencyKey?: string | undefined; waitS?: number | undefined } = {},
  ): Promise<Batch> {
    return sendBatch(this.#config, awards, options);
  }

  /** @deprecated With `submitBatch()`. */
  async batch(batchId: string, options: CallOptions = {}): Promise<Batch> {
    checkId("batchId", batchId);
    checkOptions(options);
    return this.#get(`/batches/${batchId}`, "batchId", options);
  }

  /**
   * Sets the names by which people know members; null deletes a name. The last name wins, so a retry changes nothing.
   * 100 names need one request.
   */
  setNames(names: NamedMember[], options: CallOptions = {}): Promise<{ stored: number }> {
    return sendNames(this.#config, names, options);
  }

  /** Returns what `reverse()` would take back. */
  previewReversal(by: ReversalBy, options: CallOptions = {}): Promise<ReversalPreview> {
    return previewReversal(this.#config, by, options);
  }

  /**
   * Takes awards back, each exactly once. The service does this in the background: `reversal()` returns its progress.
   */
  reverse(
    by: ReversalBy,
    options: CallOptions & { reason?: string | undefined; idempotencyKey?: string | undefined } = {},
  ): Promise<ReversalAccepted> {
    return sendReversal(this.#config, by, options);
  }

  async reversal(reversalId: string, options: CallOptions = {}): Promise<Reversal> {
    checkId("reversalId", reversalId);
    checkOptions(options);
    return this.#get(`/reversals/${reversalId}`, "reversalId", options);
  }

  /** A queue of awards, for a game server that awards often. */
  queue(options: QueueOptions = {}): AwardQueue {
    return makeAwardQueue(this.#config, options);
  }

  async #get<Type>(path: string, accepts: Request["accepts"], options: CallOptions): Promise<Type> {
    const { body } = await call(this.#config, { method: "GET", path, accepts }, options);
    return body as Type;
  }

  #post(
    path: string,
    content: object,
    accepts: Request["accepts"],
    options: CallOptions,
    key?: string,
  ): Promise<Answer> {
    const headers = key === undefined ? {} : { "idempotency-key": key };
    const body = JSON.stringify(content);
    return call(this.#config, { method: "POST", path, body, headers, accepts }, options, key);
  }
}
