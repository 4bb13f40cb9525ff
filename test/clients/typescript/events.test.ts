import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ClanXp, type ClanEvent } from "../../../clients/typescript/src/index.ts";
import { blocksOf, readPage } from "../../support/docs-page.ts";
import { nowhere, problem } from "./nowhere.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Answer = Response | "cut" | Promise<Response>;

/** A client of a service that gives these answers one after the other, then none, and what it asked and when. */
function clientOf(...answers: Answer[]) {
  const requested: string[] = [];
  const at: number[] = [];
  const fetch = async (url: unknown): Promise<Response> => {
    requested.push(String(url).replace("http://127.0.0.1:1/v0/clans/c/events", ""));
    at.push(performance.now());
    const answer = answers.shift() ?? new Promise<Response>(() => {});
    if (answer === "cut") throw new Error("fetch failed");
    return answer;
  };
  return { clan: new ClanXp({ ...nowhere, fetch }), requested, at };
}

function page(ids: string[], cursor: string, hasMore = false): Response {
  const events = ids.map((id) => ({ id, type: "member.left", timestamp: "", clanId: "c", data: {} }));
  return new Response(JSON.stringify({ events, cursor, hasMore }));
}

/** What happens within `ms` of the client's clock. */
async function heard(events: AsyncIterable<ClanEvent>, ms: number) {
  const [list, errors]: [ClanEvent[], any[]] = [[], []];
  const following = (async () => {
    for await (const event of events) list.push(event);
  })().catch((error: unknown) => void errors.push(error));
  await vi.advanceTimersByTimeAsync(ms);
  return { list, errors, following };
}
const places = (list: readonly ClanEvent[]) => list.map(({ id, cursor }) => [id, cursor]);

test("one page is requested with exactly the given options", async () => {
  const { clan, requested } = clientOf(page([], "a"), page(["e"], "b", true));
  expect(await clan.eventPage()).toStrictEqual({ events: [], cursor: "a", hasMore: false });
  const { events, hasMore } = await clan.eventPage({
    after: "a",
    types: ["member.*", "batch.done"],
    limit: 7,
    waitS: 3,
  });
  expect([events.map(({ id }) => id), hasMore]).toStrictEqual([["e"], true]);
  expect(requested).toStrictEqual(["", "?after=a&types=member.*%2Cbatch.done&limit=7&wait=3"]);
});

test("all events are followed from page to page, each with the cursor that goes on after it", async () => {
  const { clan, requested } = clientOf(page(["e1"], "a", true), page(["e2", "e3", "e4"], "b"), page(["e5"], "c"));
  const { list } = await heard(clan.events({ types: ["member.*"] }), 0);
  expect(places(list)).toStrictEqual([
    ["e1", "a"],
    ["e2", "a.e2"],
    ["e3", "a.e3"],
    ["e4", "b"],
    ["e5", "c"],
  ]);
  const query = "types=member.*&wait=25";
  // The first page has one event, because it is read from no whole cursor.
  expect(requested).toStrictEqual([
    "?types=member.*&limit=1&wait=25",
    `?after=a&${query}`,
    `?after=b&${query}`,
    `?after=c&${query}`,
  ]);

  const again = clientOf(page(["e3"], "x"), page(["e4"], "y"));
  expect(places((await heard(again.clan.events({ after: "a.e2" }), 0)).list)).toStrictEqual([
    ["e3", "x"],
    ["e4", "y"],
  ]);
  expect(again.requested.slice(0, 2)).toStrictEqual(["?after=a.e2&limit=1&wait=25", "?after=x&wait=25"]);
});

test("what is retryable is retried for ever, with pauses, and a wait without an answer is given up after it", async () => {
  const failures = Array.from({ length: 30 }, (_, index): Answer => (index % 2 ? "cut" : problem(503, "busy")));
  const { clan, requested, at } = clientOf(...failures, new Promise<Response>(() => {}), page(["e1"], "a"));
  const { list, errors } = await heard(clan.events({ after: "now" }), 600_000);
  expect([list.length, errors]).toStrictEqual([1, []]);
  expect(requested.length).toBeGreaterThan(31);
  const pauses = at.slice(1, 30).map((time, index) => time - (at[index] ?? 0));
  expect(Math.max(...pauses)).toBeLessThanOrEqual(10_000);
  expect(pauses.slice(5).every((ms) => ms >= 5_000)).toBe(true);
  // 25 s of waiting and 10 s for everything else.
  expect((at[31] ?? 0) - (at[30] ?? 0)).toBeGreaterThanOrEqual(35_000);
});

test("an expired cursor, and what no retry helps against, is thrown", async () => {
  for (const [status, code] of [
    [410, "cursor_expired"],
    [401, "key_revoked"],
  ] as const) {
    const { clan, requested } = clientOf(page(["e1"], "a"), problem(status, code));
    const { list, errors } = await heard(clan.events(), 1_000);
    expect([list.length, requested.length]).toStrictEqual([1, 2]);
    expect(errors).toMatchObject([{ name: "ClanXpError", code, status, retryable: false, attempts: 1 }]);
  }
});

test("an abort ends the iteration with aborted, also between two events and in a pause", async () => {
  const waiting = clientOf(page(["e1"], "a"));
  const whileWaiting = new AbortController();
  const { errors, following } = await heard(waiting.clan.events({ signal: whileWaiting.signal }), 1_000);
  whileWaiting.abort();
  await following;
  expect(errors).toMatchObject([{ code: "aborted" }]);

  const { clan } = clientOf(page(["e1", "e2"], "a"));
  const between = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { id } of clan.events({ after: "z", signal: between.signal })) {
      seen.push(id);
      between.abort();
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: "aborted" });
  expect(seen).toStrictEqual(["e1"]);

  const retrying = clientOf(problem(503, "busy"));
  const inPause = new AbortController();
  const paused = await heard(retrying.clan.events({ signal: inPause.signal }), 1);
  inPause.abort();
  await paused.following;
  expect(paused.errors).toMatchObject([{ code: "aborted", attempts: 1 }]);
});

test("answers that come early and empty are not requested without a pause", async () => {
  const { clan, at } = clientOf(...Array.from({ length: 50 }, () => page([], "a")));
  await heard(clan.events({ after: "a" }), 20_000);
  expect(at.length).toBeLessThan(12);
});

test("the guide to rank-ups announces who rises, and stores the cursor of each event", async () => {
  const [program] = blocksOf(readPage("docs/how-to/react-to-a-rank-up.md")).filter(({ language }) => language === "js");
  const change = (id: string, name: string | null, direction: string): object => {
    return { id, type: "member.rank_changed", data: { platformId: "7", name, rank: "Veteran", direction } };
  };
  const events = [change("e1", "Ada", "up"), change("e2", "Ada", "down"), change("e3", null, "up")];
  const { clan, requested } = clientOf(new Response(JSON.stringify({ events, cursor: "b", hasMore: false })));
  const [announced, cursors]: [string[], string[]] = [[], []];
  const context = {
    clan,
    storedCursor: "a",
    announce: async (text: string) => void announced.push(text),
    storeCursor: async (cursor: string) => void cursors.push(cursor),
  };
  void runInNewContext(`(async () => { ${program?.text} })()`, context);
  await vi.advanceTimersByTimeAsync(0);
  expect(announced).toStrictEqual(["Ada is now Veteran", "7 is now Veteran"]);
  expect(cursors).toStrictEqual(["a.e1", "a.e2", "b"]);
  expect(requested[0]).toBe("?after=a&types=member.rank_changed&wait=25");
});
