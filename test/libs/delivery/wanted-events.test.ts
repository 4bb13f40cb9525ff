// What of a receiver's response is not stored.
import { expect, test } from "vitest";
import { isPersonal } from "#delivery/wanted-events.ts";
import { rankChange, sampleEvent } from "../../support/sample-events.ts";

const event = { ...sampleEvent({ type: "member.rank_changed" }), type: "member.rank_changed" as const };
const named = { ...event, data: { ...rankChange, platformId: "Player-7", name: "Jürgen Müller" } };

test.each([
  "no member Player-7",
  "no member player-7",
  "cannot store JÜRGEN MÜLLER",
  "cannot store Jurgen Muller",
  "/members/J%C3%BCrgen%20M%C3%BCller",
  String.raw`{"error":"J\u00fcrgen M\u00fcller"}`,
])("a response such as %j names the member", (response) => {
  expect(isPersonal(response, [named])).toBe(true);
});

test.each(["", "ok", "cannot store it", "100%", String.raw`\u00zz %zz`])(
  "a response such as %j names nobody",
  (response) => {
    expect(isPersonal(response, [named])).toBe(false);
  },
);
