// A dashboard whose public pages are looked at over HTTP, and clans that publish theirs.
import { expect } from "vitest";
import { makeClanCaller } from "../../support/clan-caller.ts";
import { patientCliOn } from "../../support/cli.ts";
import { useClan } from "./use-clan.ts";

export async function usePublicPages() {
  const { dashboard, port } = await useClan();
  const { world } = dashboard;
  const env = { MONGO_URL: world.mongoUrl, REDIS_URL: world.redisUrl, DASHBOARD_URL: dashboard.url };
  const cli = patientCliOn(env);
  /** Each caller has another address (X-Forwarded-For), so that no test spends the reads of another. */
  const url = await dashboard.startAnother({ changes: { dashboardProxies: 1 } });
  let addresses = 0;
  const newAddress = (): string => `192.0.2.${(addresses += 1)}`;

  async function look(path: string, { method = "GET", headers = {}, from = newAddress(), at = url } = {}) {
    const response = await fetch(`${at}${path}`, { method, headers: { "x-forwarded-for": from, ...headers } });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  }
  const json = async (path: string) => JSON.parse((await look(path)).text);

  /** A clan with these members, its page, and the command line for it. */
  async function published(xps: Record<string, number>, ...options: string[]) {
    const clan = await makeClanCaller(world, port);
    await clan.awards(Object.entries(xps).map(([platformId, amount]) => ({ platformId, amount })));
    const run = (command: string, ...args: string[]) => cli.json("clan", command, clan.clanId, ...args);
    const { exitCode, answer } = await run("publish", ...options);
    expect(exitCode).toBe(0);
    return { clan, run, page: answer, path: new URL(answer.url).pathname };
  }
  return { dashboard, port, world, env, cli, url, newAddress, look, json, published };
}
