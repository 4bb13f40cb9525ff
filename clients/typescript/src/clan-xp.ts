// The client: one method for each endpoint. The API key is in a private field, which no inspection shows.
import { randomUUID } from "node:crypto";
import { isApiKey, type Answer, type Config } from "./attempt.ts";
import { makeAwardQueue } from "./award-queue.ts";
import { call, callSettings } from "./call.ts";
import {
  check,
  checkFields,
  checkId,
  checkInteger,
  checkKey,
  checkObject,
  checkPlatformId,
  checkText,
} from "./check.ts";
import { ClanXpError } from "./error.ts";
import { checkAward, describeAward } from "./prepare-award.ts";
import { readResults } from "./read-results.ts";
import type {
  AwardEntry,
  AwardOptions,
  AwardQueue,
  AwardResult,
  Batch,
  BatchEntry,
  CallOptions,
  ClanXpOptions,
  DroppedAward,
  EntryResult,
  LedgerEntry,
  NamedMember,
  QueueOptions,
  ReversalBy,
} from "./types.ts";
import { unexpectedAnswer } from "./unexpected-answer.ts";
import type { AwardAnswer, Clan, Member, Reversal, ReversalAccepted, ReversalPreview } from "./wire.ts";

const DEFAULTS = { timeoutMs: 10_000, deadlineMs: 60_000, retries: 8 };
/** The API's limit for one call. */
const ENTRIES_MAX = 100;
const PAGE_SIZE_MAX = 200;
const BATCH_WAIT_S_MAX = 30;
/** The part of an attempt's timeout that remains for the network while the API waits for a batch. */
const BATCH_WAIT_MARGIN_MS = 2_000;
const BATCH_WAIT_S_DEFAULT = 10;

export class ClanXp {
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
    checkObject("options", options);
    const { platformId: _, idempotencyKey, ...payload } = describeAward(platformId, amount, options);
    checkAward({ platformId, amount }, options);
    const path = `/members/${encodeURIComponent(platformId)}/xp${options.change ? "?include=change" : ""}`;
    const answer = await this.#post(path, payload, options, { "idempotency-key": idempotencyKey }, idempotencyKey);
    const wire = answer.body as AwardAnswer;
    if (typeof wire.xp !== "string") throw unexpectedAnswer(answer, "the member's XP", { idempotencyKey });
    return {
      ...wire,
      replayed: answer.headers.get("idempotency-replayed") === "true",
      idempotencyKey,
      requestId: answer.headers.get("request-id") ?? "",
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
    checkObject("options", options);
    const awards = awardsOf(entries);
    checkInteger("the number of entries", awards.length, 1, ENTRIES_MAX);
    const answer = await this.#post(`/awards${options.change ? "?include=change" : ""}`, { awards }, options);
    const results = readResults(answer, awards.length);
    const { applied } = answer.body as { applied: number };
    return {
      applied,
      results: results.map((result, index) => ({ ...result, idempotencyKey: awards[index]?.idempotencyKey ?? "" })),
    };
  }

  /** The member, or null if nothing is stored for them. */
  async member(platformId: string, options: CallOptions = {}): Promise<Member | null> {
    checkPlatformId(platformId);
    try {
      return await this.#get<Member>(`/members/${encodeURIComponent(platformId)}`, options);
    } catch (error) {
      if (error instanceof ClanXpError && error.code === "member_not_found") return null;
      throw error;
    }
  }

  /**
   * All members, by default those with the most XP first. Invalid arguments are thrown by the first step of the
   * iteration.
   */
  members(
    options: CallOptions & { sort?: "xp" | "platformId" | undefined; pageSize?: number | undefined } = {},
  ): AsyncIterable<Member> {
    return this.#pages("members", options, () => {
      const { sort } = options;
      check(sort === undefined || sort === "xp" || sort === "platformId", "sort must be xp or platformId");
      return ["/members", sort && { sort }];
    });
  }

  /** A member's entries, newest first. Invalid arguments are thrown by the first step of the iteration. */
  ledger(
    platformId: string,
    options: CallOptions & { pageSize?: number | undefined } = {},
  ): AsyncIterable<LedgerEntry> {
    return this.#pages("entries", options, () => {
      checkPlatformId(platformId);
      return [`/members/${encodeURIComponent(platformId)}/ledger`];
    });
  }

  /** The clan and its ranks. */
  async clan(options: CallOptions = {}): Promise<Clan> {
    return this.#get("", options);
  }

  /**
   * Submits a batch and waits up to `waitS` seconds for its results; this time is added to the timeout of an attempt.
   * @deprecated Use `awards()` or a queue: they create memberships and store reasons.
   */
  async submitBatch(
    awards: BatchEntry[],
    options: CallOptions & { idempotencyKey?: string | undefined; waitS?: number | undefined } = {},
  ): Promise<Batch> {
    const sent = awardsOf(awards).map(({ platformId, amount }) => ({ platformId, amount }));
    const { timeoutMs } = callSettings(this.#config, options);
    const { waitS, idempotencyKey = randomUUID() } = options;
    checkKey("idempotencyKey", idempotencyKey);
    if (waitS !== undefined) checkInteger("waitS", waitS, 0, BATCH_WAIT_S_MAX);
    const fittingS = Math.max(0, Math.min(BATCH_WAIT_S_DEFAULT, Math.floor((timeoutMs - BATCH_WAIT_MARGIN_MS) / 1000)));
    const headers = { "idempotency-key": idempotencyKey, prefer: `wait=${waitS ?? fittingS}` };
    const patient = { ...options, timeoutMs: timeoutMs + (waitS ?? 0) * 1000 };
    const { body } = await this.#post("/xp", { awards: sent }, patient, headers, idempotencyKey);
    return { status: "done", ...(body as Omit<Batch, "status">) };
  }

  /** @deprecated With `submitBatch()`. */
  async batch(batchId: string, options: CallOptions = {}): Promise<Batch> {
    checkId("batchId", batchId);
    return this.#get(`/batches/${batchId}`, options);
  }

  /**
   * Sets the names by which people know 1 to 100 members; null deletes a name. The last name wins, so a retry changes
   * nothing.
   */
  async setNames(names: NamedMember[], options: CallOptions = {}): Promise<{ stored: number }> {
    check(Array.isArray(names), "names must be an array");
    checkInteger("the number of names", names.length, 1, ENTRIES_MAX);
    for (const named of names) {
      checkObject("each of the names", named);
      checkPlatformId(named.platformId);
      if (named.name !== null) checkText("name", named.name);
    }
    const sent = names.map(({ platformId, name }) => ({ platformId, name }));
    return (await this.#post("/names", { names: sent }, options)).body as { stored: number };
  }

  /** Returns what `reverse()` would take back. */
  async previewReversal(by: ReversalBy, options: CallOptions = {}): Promise<ReversalPreview> {
    checkBy(by);
    const { body } = await this.#post("/reversals", { by, dryRun: true }, options);
    return body as ReversalPreview;
  }

  /**
   * Takes awards back, each exactly once. The service does this in the background: `reversal()` returns its progress.
   */
  async reverse(
    by: ReversalBy,
    options: CallOptions & { reason?: string | undefined; idempotencyKey?: string | undefined } = {},
  ): Promise<ReversalAccepted> {
    checkBy(by);
    checkObject("options", options);
    const { reason, idempotencyKey = randomUUID() } = options;
    if (reason !== undefined) checkText("reason", reason);
    checkKey("idempotencyKey", idempotencyKey);
    const answer = await this.#post(
      "/reversals",
      { by, reason },
      options,
      { "idempotency-key": idempotencyKey },
      idempotencyKey,
    );
    return answer.body as ReversalAccepted;
  }

  async reversal(reversalId: string, options: CallOptions = {}): Promise<Reversal> {
    checkId("reversalId", reversalId);
    return this.#get(`/reversals/${reversalId}`, options);
  }

  /** A queue of awards, for a game server that awards often. */
  queue(options: QueueOptions = {}): AwardQueue {
    return makeAwardQueue(this.#config, options);
  }

  async #get<Body>(path: string, options: CallOptions): Promise<Body> {
    const { body } = await call(this.#config, { method: "GET", path }, options);
    return body as Body;
  }

  #post(
    path: string,
    body: object,
    options: CallOptions,
    headers: Record<string, string> = {},
    key?: string,
  ): Promise<Answer & { attempts: number }> {
    return call(this.#config, { method: "POST", path, body: JSON.stringify(body), headers }, options, key);
  }

  /** Every item of every page. `describe` checks the arguments and names the path of the list. */
  #pages<Item>(
    field: string,
    options: CallOptions & { pageSize?: number | undefined },
    describe: () => [path: string, query?: Record<string, string> | undefined],
  ): AsyncIterable<Item> {
    const read = (path: string) => call(this.#config, { method: "GET", path }, options);
    return {
      async *[Symbol.asyncIterator]() {
        checkObject("options", options);
        const { pageSize } = options;
        if (pageSize !== undefined) checkInteger("pageSize", pageSize, 1, PAGE_SIZE_MAX);
        const [path, query = {}] = describe();
        let cursor: string | null = null;
        do {
          const params = { ...query, ...(pageSize && { limit: `${pageSize}` }), ...(cursor !== null && { cursor }) };
          const search = String(new URLSearchParams(params));
          const answer = await read(path + (search && `?${search}`));
          const { [field]: items, nextCursor = null } = answer.body as Record<string, unknown>;
          if (!Array.isArray(items)) throw unexpectedAnswer(answer, field);
          yield* items as Item[];
          cursor = nextCursor as string | null;
        } while (cursor !== null);
      },
    };
  }
}

function awardsOf(entries: AwardEntry[]): DroppedAward[] {
  check(Array.isArray(entries), "entries must be an array");
  return entries.map((entry) => {
    checkObject("every entry", entry);
    const award = describeAward(entry.platformId, entry.amount, entry);
    checkAward(award, entry);
    return award;
  });
}

function checkBy(by: ReversalBy): void {
  checkFields("by", by);
  if ("platformId" in by) checkPlatformId(by.platformId);
}

function configOf(options: ClanXpOptions): Config {
  checkObject("options", options);
  const { baseUrl, clanId, apiKey, fetch } = options;
  checkText("baseUrl", baseUrl);
  check(/^https?:\/\/[^/?#@\s][^?#@\s]*$/.test(baseUrl), "baseUrl must be an http or https URL");
  check(
    typeof clanId === "string" && /^[\w-]{1,64}$/.test(clanId),
    "clanId must be a string of 1 to 64 characters of A-Z a-z 0-9 _ -",
  );
  check(typeof apiKey === "function" || isApiKey(apiKey), "apiKey must be an API key, or a function that returns one");
  check(fetch === undefined || typeof fetch === "function", "fetch must be a function");
  const { timeoutMs, deadlineMs, retries } = callSettings(DEFAULTS, options);
  return {
    clanUrl: `${baseUrl.replace(/\/+$/, "")}/v0/clans/${clanId}`,
    apiKey,
    fetch,
    timeoutMs,
    deadlineMs,
    retries,
  };
}
