// Two installations behind nginx, which chooses by the clan of the path: the configuration in deploy/nginx.
import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { expectProblem } from "../support/responses.ts";
import { makeClanCaller, PATIENT } from "../support/clan-caller.ts";
import { nginxOrNull } from "../support/nginx.ts";
import { makeWorld } from "../support/world.ts";
import { readDeployed } from "./alerts.ts";

const startNginx = await nginxOrNull();

test.skipIf(!startNginx)("nginx sends each clan to its installation, and none to another one", async () => {
  if (!startNginx) return;
  const cell = async (clanId: string) => {
    const world = await makeWorld();
    onTestFinished(() => world.close());
    const { port: ownPort } = await world.startApi();
    return { world, ownPort, clan: await makeClanCaller(world, ownPort, { clanId }) };
  };
  const cells = [await cell("0".repeat(64)), await cell("1".repeat(64))] as const;
  const [first, second] = [cells[0].clan, cells[1].clan];
  await cells[1].world.startWorker();
  const conf = cells.reduce(
    (text, { ownPort }, index) => text.replace(`api.cell-${index + 1}.internal:8080`, `127.0.0.1:${ownPort}`),
    readDeployed("nginx/cells.conf"),
  );
  const map = readDeployed("nginx/clans.map").replace("rovers", second.clanId);
  const { port, close } = await startNginx(conf, { "clans.map": map });
  onTestFinished(close);
  const [one, two] = [first.on(port), second.on(port)];

  for (const clan of [one, two]) {
    const applied = await clan.award("m", { amount: 5 }, { "idempotency-key": "k" });
    expect(applied).toMatchObject({ status: 200, body: { xp: "5" } });
  }
  // Replayed by the same installation, also if the path is written in another way.
  const escaped = `/v0/clans/%${second.clanId.charCodeAt(0).toString(16)}${second.clanId.slice(1)}/members/m`;
  expect(await statusOf(port, escaped, second.key)).toBe(await statusOf(cells[1].ownPort, escaped, second.key));
  const replay = await two.award("m", { amount: 5 }, { "idempotency-key": "k" });
  expect(replay.headers.get("idempotency-replayed")).toBe("true");
  const submitted = await two.submit([{ platformId: "m", amount: 1 }], { ...PATIENT, "idempotency-key": "b" });
  expect([submitted.status, submitted.body.applied]).toStrictEqual([200, 1]);
  expect((await two.get("/members/m")).body.xp).toBe("6");
  for (const { world, clan } of cells)
    expect(await world.database.db().collection("ledger").distinct("_id.clanId")).toStrictEqual([clan.clanId]);

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
