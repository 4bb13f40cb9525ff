// How events read in Discord: names of any script, and the days, arrows and lengths of a final period.
import { describe, expect, test } from "vitest";
import type { PeriodResult } from "#domain/event.ts";
import { periodsOf } from "#domain/period.ts";
import { embedOf } from "#delivery/couriers/discord-embeds.ts";
import { rankChange, sampleEvent, sampleEvents } from "../../../support/sample-events.ts";

describe("the result of a period", () => {
  const result = sampleEvents.find(({ type }) => type === "period.final")?.data as PeriodResult;
  const embedFor = (changes: Partial<PeriodResult>, pageUrl: string | null = null) =>
    embedOf(sampleEvent({ type: "period.final", data: { ...result, ...changes } }), pageUrl);

  test("names its first and its last day in the board's zone, for a year with both changes of its clocks", () => {
    const rhythm = { every: "week", on: "monday", at: "00:00", timeZone: "Europe/Berlin" } as const;
    const [from, to] = [new Date("2026-01-05T12:00:00Z"), new Date("2027-01-10T12:00:00Z")];
    const board = { name: "Weekly", every: rhythm.every, timeZone: rhythm.timeZone, isFirst: false };
    const titles = periodsOf(rhythm, 0, from, to).map((period) => embedFor({ ...period, board }).title);
    const dayOf = (days: number) => new Date(Date.UTC(2026, 0, 5 + days)).toISOString().slice(0, 10);
    expect(titles).toEqual(
      Array.from({ length: 53 }, (_, week) => `Weekly: ${dayOf(7 * week)} to ${dayOf(7 * week + 6)}`),
    );
  });

  test("has no arrows in the first period, and of a period without members only counts and the public page", () => {
    const first = embedFor({ board: { ...result.board, isFirst: true } }).description;
    expect(first).toMatch(/^1\. Builderman {2}1,250 XP\n2\. 157 {2}900 XP\n/);
    const summary = { awards: 1, xp: "0", members: 0, joined: 0, left: 0, rose: 1_200, fell: 0 };
    const counts = "0 joined, 0 left, 1,200 rose, 0 fell; 1 award";
    expect(embedFor({ top: [], summary }).description).toBe(counts);
    const page = "https://clans.example.com/c/night-owls";
    expect(embedFor({ top: [], summary }, page).description).toBe(`${counts}\n${page}`);
  });

  test("is within Discord's lengths with the longest names", () => {
    const long = { platformId: "_".repeat(64), xp: -(2n ** 63n), position: 1_000, previousPosition: 9_999_999 };
    const top = Array.from({ length: 10 }, () => ({ ...long, reachedAt: new Date(0), name: "_".repeat(64) }));
    const { title, description } = embedFor({ top, board: { ...result.board, name: "_".repeat(64) } });
    expect(title.length).toBeLessThanOrEqual(256);
    expect(description.length).toBeLessThanOrEqual(4_096);
  });
});

test("a name that is written from right to left does not turn the sentence", () => {
  const data = { ...rankChange, name: "שלום" };
  const { description } = embedOf(sampleEvent({ type: "member.rank_changed", data }), null);
  expect(description).toMatch(/^\u2068\*\*שלום\*\*\u2069 is now \*\*/);
});
