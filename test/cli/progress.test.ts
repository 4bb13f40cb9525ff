// The progress bar of reconcile: for who looks on at a terminal, and for nobody else.
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cliOn } from "../support/cli.ts";
import { callerOf } from "../support/http.ts";
import { makeWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

/** A terminal that keeps what was written to it. */
function terminal(): { stream: NodeJS.WriteStream; written: () => string } {
  const stream = new PassThrough();
  let written = "";
  stream.setEncoding("utf8").on("data", (text: string) => (written += text));
  return {
    stream: Object.assign(stream, { isTTY: true, columns: 80 }) as unknown as NodeJS.WriteStream,
    written: () => written,
  };
}

test("on a terminal: a bar that reaches its end, beside the answer", async () => {
  const { clan, key } = await world.makeClan();
  const { port } = await world.startApi();
  for (const platformId of ["a", "b"])
    await callerOf(port, key).post(`/v0/clans/${clan.clanId}/members/${platformId}/xp`, { amount: 5 });

  const { stream, written } = terminal();
  const { exitCode, answer, stderr } = await cliOn({ MONGO_URL: world.mongoUrl }, stream).json(
    "reconcile",
    "--clan",
    clan.clanId,
  );
  expect([exitCode, stderr, answer.members, answer.entries]).toEqual([0, "", 2, 2]);
  expect(written()).toContain("100%  4 of 4");
});

test("an error ends the bar", async () => {
  const { stream, written } = terminal();
  const { exitCode } = await cliOn({ MONGO_URL: world.mongoUrl }, stream).json("reconcile", "--clan", "nobody");
  expect(exitCode).toBe(1);
  // The cursor is shown again.
  expect(written().lastIndexOf("\u001b[?25h")).toBeGreaterThanOrEqual(written().lastIndexOf("\u001b[?25l"));
});
