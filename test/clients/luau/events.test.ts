import { describe, expect, test } from "vitest";
import { makeAwardsApi, problem } from "./support/awards-api.ts";
import type { Answered, SentRequest } from "./support/game-server.ts";
import { startGame, type Game } from "./support/game.ts";

type Plan = (poll: number, request: SentRequest) => Answered;

const eventOf = (id: string): object => ({ id, type: "member.left", timestamp: "", clanId: "rovers", data: {} });
const pageOf = (ids: string[], cursor: string): Response =>
  Response.json({ events: ids.map(eventOf), cursor, hasMore: false });
/** A poll that waits for nothing. */
const empty = (cursor: string): Answered => ({ response: pageOf([], cursor), afterSeconds: 20 });

/** A game whose API answers its polls by this plan, and its awards as usual. `heard`: what the listener heard, as texts. */
async function follow(plan: Plan, options = "{}", config = "") {
  const api = makeAwardsApi();
  const polls: SentRequest[] = [];
  const game = await startGame({
    config,
    respond(request) {
      if (!request.url.includes("/events")) return api.respond(request);
      polls.push(request);
      return plan(polls.length - 1, request);
    },
  });
  await game.run(`
    heard = {}
    connection = clan:OnEvents(${options}, function(event, problem)
      table.insert(heard, (event and event.id or problem.Code) .. " " .. tostring(connection and connection.Cursor))
    end)`);
  const queries = (): string[] => polls.map(({ url }) => url.replace(/^.*\/events/, ""));
  return { game, api, polls, queries, heard: (): Promise<string[]> => game.run("return heard") };
}

const advance = async (game: Game, seconds: number): Promise<void> => game.advance(seconds);

describe("the events that the Roblox client follows", () => {
  test("are given in their order, each with the cursor that goes on after it, by polls that wait 20 s", async () => {
    const pages = [
      pageOf(["evt_1"], "a"),
      pageOf(["evt_2", "evt_3", "evt_4"], "b"),
      empty("b"),
      pageOf(["evt_5"], "c"),
    ];
    const { game, polls, queries, heard } = await follow(
      (poll) => pages[poll] ?? "silence",
      `{ Types = { "member.*" } }`,
    );
    await advance(game, 60);
    expect(await heard()).toStrictEqual(["evt_1 a", "evt_2 a.evt_2", "evt_3 a.evt_3", "evt_4 b", "evt_5 c"]);
    const query = (limit: number, after: string): string => `?wait=20&limit=${limit}&types=member.%2A${after}`;
    expect(queries().slice(0, 5)).toStrictEqual([
      query(1, ""),
      query(200, "&after=a"),
      query(200, "&after=b"),
      query(200, "&after=b"),
      query(200, "&after=c"),
    ]);
    // The next poll follows an answer immediately, but not one that came early.
    const starts = polls.map(({ at }) => at);
    expect((starts[3] ?? 0) - (starts[2] ?? 0)).toBeCloseTo(20, 0);
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(0.9);
  });

  test("begin where After says, also in the middle of a page", async () => {
    for (const [after, limit] of [
      ["now", 200],
      ["a", 200],
      ["a.evt_2", 1],
    ] as const) {
      const { game, queries } = await follow(() => "silence", `{ After = "${after}" }`);
      await advance(game, 1);
      expect(queries()).toStrictEqual([`?wait=20&limit=${limit}&after=${after}`]);
    }
  });

  test("go on from now after an expired cursor, which the listener is given", async () => {
    const answers = [problem(410, "cursor_expired"), pageOf([], "z"), pageOf(["evt_9"], "y")];
    const { game, queries, heard } = await follow((poll) => answers[poll] ?? "silence", `{ After = "a" }`);
    await advance(game, 10);
    expect((await heard()).map((text) => text.split(" ")[0])).toStrictEqual(["cursor_expired", "evt_9"]);
    expect(
      queries()
        .slice(0, 3)
        .map((query) => query.split("&after=")[1]),
    ).toStrictEqual(["a", "now", "z"]);
  });

  test("are requested again for ever after what is retryable, with pauses, and end with any other error", async () => {
    const answers: Answered[] = [
      ...Array.from({ length: 20 }, (_, index): Answered => (index % 2 ? { raise: "NetFail" } : problem(503, "busy"))),
      pageOf(["evt_1"], "a"),
      problem(401, "key_revoked"),
    ];
    const { game, polls, heard } = await follow((poll) => answers[poll] ?? "silence", `{ After = "now" }`);
    await advance(game, 300);
    expect((await heard()).map((text) => text.split(" ")[0])).toStrictEqual(["evt_1", "key_revoked"]);
    expect(polls).toHaveLength(22);
    const pauses = polls.slice(1, 20).map(({ at }, index) => at - (polls[index]?.at ?? 0));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(10.1);
    expect(pauses.slice(6).every((seconds) => seconds >= 4.9)).toBe(true);
  });

  test("use at most a quarter of the budget in a busy clan, so that awards are sent meanwhile", async () => {
    const { game, polls, api } = await follow(
      (poll) => pageOf([`evt_${poll}`], `c${poll}`),
      `{ After = "now" }`,
      "RequestsPerMinute = 20",
    );
    await advance(game, 60);
    expect(polls.length).toBeGreaterThan(3);
    expect(polls.length).toBeLessThanOrEqual(6);
    await game.award("1, 5");
    await advance(game, 2);
    expect(api.calls).toHaveLength(1);
    const starts = game.requests.map(({ at }) => at);
    for (const start of starts)
      expect(starts.filter((at) => at >= start && at < start + 60).length).toBeLessThanOrEqual(20);
  });

  test("are followed no more after Disconnect and after the shutdown, and a listener's error stops nothing", async () => {
    const { game, polls, heard } = await follow((poll) => pageOf([`evt_${poll}`], `c${poll}`), `{ After = "now" }`);
    await game.run(`failing = clan:OnEvents({ After = "x" }, function() error("oops") end)`);
    await advance(game, 3);
    expect(game.warnings.length).toBeGreaterThan(1);
    expect(game.warnings[0]).toMatch(/^\[ClanXP\] A listener raised an error: .*oops/);
    await game.run("failing:Disconnect()");
    await game.run("connection:Disconnect()");
    const before = [(await heard()).length, polls.length];
    expect(before[0]).toBeGreaterThan(2);
    await advance(game, 10);
    expect([(await heard()).length, polls.length]).toStrictEqual(before);

    const closing = await follow((poll) => pageOf([`evt_${poll}`], `c${poll}`), `{ After = "now" }`);
    await advance(closing.game, 2.5);
    const polled = closing.polls.length;
    expect(polled).toBeGreaterThan(1);
    expect(await closing.game.shutDown()).toBeLessThan(1);
    await advance(closing.game, 10);
    expect(closing.polls).toHaveLength(polled);
  });

  test("need a function, and options of the right form", async () => {
    const { game } = await follow(() => "silence");
    const detail = (call: string): Promise<string> =>
      game.run(`local _, problem = pcall(function() clan:OnEvents(${call}) end) return problem.Detail`);
    expect(await detail("{}")).toBe("A listener must be a function");
    expect(await detail("{ Type = {} }, print")).toBe('options has no field "Type". It accepts After, Types');
    expect(await detail("{ After = 5 }, print")).toBe("options.After must be a string");
    for (const types of ["{}", "{ 5 }", `{ "member.joined,member.left" }`])
      expect(await detail(`{ Types = ${types} }, print`)).toMatch(/^options\.Types must be a list of types/);
  });
});
