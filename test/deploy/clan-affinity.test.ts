// deploy/nginx/clan-affinity.conf in real nginx: which API a clan's requests reach, also after an API has failed.
import { expect, onTestFinished, test } from "vitest";
import { affinitySite, nginxOrNull, SERVED_BY } from "../support/nginx.ts";
import { callerOf } from "../support/http.ts";
import { makeWorld } from "../support/world.ts";

const startNginx = await nginxOrNull();

test.skipIf(!startNginx)(
  "a clan's requests reach one API; if it fails, they reach another one, and other clans stay",
  async () => {
    const world = await makeWorld();
    onTestFinished(() => world.close());
    const apis = await Promise.all([world.startApi(), world.startApi(), world.startApi()]);
    const clans = await Promise.all(Array.from({ length: 24 }, () => world.makeClan()));
    const nginx = await startNginx?.(affinitySite({ apis: apis.map(({ port }) => port), byClan: true }));
    if (!nginx) return;
    onTestFinished(() => nginx.close());

    /** By clan, the APIs that applied its awards: one each to several members. */
    async function servedBy(round: string): Promise<Map<string, string[]>> {
      const served = await Promise.all(
        clans.map(async ({ clan: { clanId }, key }): Promise<[string, string[]]> => {
          const apisOfClan = new Set<string>();
          for (let n = 0; n < 3; n += 1) {
            const caller = callerOf(nginx?.port ?? 0, key, `/v0/clans/${clanId}`);
            const reply = await caller.post(`/members/m${n}/xp`, { amount: 5 }, { "idempotency-key": round });
            expect(reply).toMatchObject({ status: 200, body: { platformId: `m${n}` } });
            // Those that nginx tried, the last one of which responded.
            apisOfClan.add((reply.headers.get(SERVED_BY) ?? "").split(", ").at(-1) ?? "");
          }
          return [clanId, [...apisOfClan]];
        }),
      );
      return new Map(served);
    }

    const before = await servedBy("before");
    const addressOf = (api: (typeof apis)[number]): string => `127.0.0.1:${api.port}`;
    expect([...before.values()].every((served) => served.length === 1)).toBe(true);
    const used = new Set([...before.values()].flat());
    expect(used.size).toBeGreaterThan(1);

    const dead = apis.find((api) => used.has(addressOf(api)));
    await dead?.close();
    const alive = apis.filter((api) => api !== dead);
    const after = await servedBy("after");
    for (const [clanId, [api = ""]] of before) {
      const [moved = "", ...more] = after.get(clanId) ?? [];
      expect(more).toStrictEqual([]);
      if (dead && api === addressOf(dead)) expect(alive.map(addressOf)).toContain(moved);
      else expect(moved).toBe(api);
    }
  },
);
