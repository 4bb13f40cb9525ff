// What `npm start` takes from Docker has no passwords: nobody but this machine may reach it, no other container either.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { launch } from "../../scripts/services/launch.ts";
import { freePort } from "../../scripts/services/ports.ts";
import { redis } from "../../scripts/services/redis.ts";
import { tempDir } from "../support/temp-dir.ts";

const IMAGE = process.env["REDIS_IMAGE"] ?? "redis:8";
const ANSWER_S = 5;
vi.setConfig({ testTimeout: 120_000 });

async function docker(...args: string[]): Promise<string> {
  return (await promisify(execFile)("docker", args)).stdout.trim();
}

test("a server in a container is reachable only from this machine, and its network is removed with it", async () => {
  const [dataDir, port] = [tempDir(), await freePort()];
  const server = { command: "redis-server", image: IMAGE, version: "", from: "" };
  const args = redis.args({ dataDir, port, inContainer: true });
  const running = await launch({ server, args, dataDir, port, logFile: join(dataDir, "redis.log") });
  onTestFinished(() => running.stop(5_000));
  await redis.whenReady({ port, ended: new AbortController().signal });

  const [found] = JSON.parse(await docker("inspect", running.container ?? ""));
  const networks: Record<string, { IPAddress: string }> = found.NetworkSettings.Networks;
  const [name = ""] = Object.keys(networks);
  const address = networks[name]?.IPAddress ?? "";
  expect(address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  const ping = ["timeout", String(ANSWER_S), "redis-cli", "-h", address, "-p", String(port), "ping"];
  const [entrypoint = "", ...rest] = ping;
  const elsewhere = docker("run", "--rm", "--entrypoint", entrypoint, IMAGE, ...rest);
  await expect(elsewhere).rejects.toMatchObject({ stdout: "" });
  // From the same network it would have answered: the question is a good one.
  expect(await docker("run", "--rm", "--network", name, "--entrypoint", entrypoint, IMAGE, ...rest)).toBe("PONG");
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();

  await running.stop(5_000);
  expect(await docker("network", "ls", "--quiet", "--filter", `name=${name}`)).toBe("");
});
