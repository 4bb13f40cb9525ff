// Two installations behind nginx, which chooses by the clan of the path: the configuration in deploy/nginx.
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { expectProblem } from "../support/responses.ts";
import { makeClanCaller, PATIENT, type ClanCaller } from "../support/clan-caller.ts";
import { makeWorld, type World } from "../support/world.ts";
import { nginxOrNull } from "./nginx.ts";

const startNginx = await nginxOrNull();
const read = (name: string): string => readFileSync(join(root, "deploy", "nginx", name), "utf8");

let worlds: World[];
let ports: number[];
let [first, second]: ClanCaller[] = [];
beforeAll(async () => {
  worlds = [await makeWorld(), await makeWorld()];
  ports = await Promise.all(worlds.map(async (world) => (await world.startApi()).port));
  [first, second] = await Promise.all(
    worlds.map((world, cell) => makeClanCaller(world, ports[cell] ?? 0, { clanId: String(cell).repeat(64) })),
  );
  await worlds[1]?.startWorker();
});
afterAll(() => Promise.all(worlds.map((world) => world.close())));

test.skipIf(!startNginx)("nginx sends each clan to its installation, and none to another one", async () => {
  if (!startNginx || !first || !second) return;
  const conf = ports.reduce(
    (text, port, cell) => text.replace(`api.cell-${cell + 1}.internal:8080`, `127.0.0.1:${port}`),
    read("cells.conf"),
  );
  const port = await startNginx(conf, { "clans.map": read("clans.map").replace("rovers", second.clanId) });
  const [one, two] = [first.on(port), second.on(port)];

  for (const clan of [one, two])
    expect(await clan.award("m", { amount: 5 }, { "idempotency-key": "k" })).toMatchObject({
      status: 200,
      body: { xp: "5" },
    });
  // Replayed by the same installation, also if the path is written in another way.
  const escaped = `/v0/clans/%${second.clanId.charCodeAt(0).toString(16)}${second.clanId.slice(1)}/members/m`;
  expect(await statusOf(port, escaped, second.key)).toBe(await statusOf(ports[1] ?? 0, escaped, second.key));
  expect((await two.award("m", { amount: 5 }, { "idempotency-key": "k" })).headers.get("idempotency-replayed")).toBe(
    "true",
  );
  const submitted = await two.submit([{ platformId: "m", amount: 1 }], { ...PATIENT, "idempotency-key": "b" });
  expect([submitted.status, submitted.body.applied]).toStrictEqual([200, 1]);
  expect((await two.get("/members/m")).body.xp).toBe("6");
  for (const [world, own] of [
    [worlds[0], first.clanId],
    [worlds[1], second.clanId],
  ] as const)
    expect(await world?.database.db().collection("ledger").distinct("_id.clanId")).toStrictEqual([own]);

  // A key of one installation is unknown in the other: a wrong line of the map awards nothing.
  expectProblem(await second.on(port).with(first.key).post("/members/m/xp", { amount: 1 }), 401, "key_invalid");
  // The API's own answer, also to what is too long.
  expectProblem(await one.submit("x".repeat(300_000)), 413, "body_too_large");
  expect(await statusOf(port, "/docs/openapi.json", first.key)).toBe(200);
});

/** Of a path that is sent as it is written. */
function statusOf(port: number, path: string, key: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    request({ host: "127.0.0.1", port, path, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    })
      .once("error", reject)
      .end();
  });
}
