// nginx with the shipped configuration, in front of APIs of a test or a benchmark. `npm run setup:tools` fetches it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/services/ports.ts";
import { readDeployed } from "../deploy/alerts.ts";
import { foundOrNull } from "../deploy/tool.ts";
import { until } from "./until.ts";

export type Nginx = { port: number; pid: number; close(): Promise<void> };
export type StartNginx = (options: { apis: readonly number[]; byClan: boolean }) => Promise<Nginx>;

/** The response header that names the API. */
export const SERVED_BY = "x-served-by";

/** Null, and a line on standard output, where nginx is not in the cache. `byClan: false`: requests in turn. */
export async function nginxOrNull(): Promise<StartNginx | null> {
  const found = await foundOrNull("nginx");
  if (!found) return null;
  return async ({ apis, byClan }) => {
    const dir = mkdtempSync(join(tmpdir(), "clanxp-nginx-"));
    mkdirSync(join(dir, "tmp"));
    const port = await freePort();
    writeFileSync(join(dir, "nginx.conf"), mainConfig(dir, siteConfig({ apis, byClan, port })));
    const child = spawn(found.path, ["-p", dir, "-c", join(dir, "nginx.conf")], {
      env: { ...process.env, ...found.env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const exited = once(child, "exit");
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`nginx has exited: ${said}`);
      return listens(port);
    });
    return {
      port,
      pid: child.pid ?? 0,
      async close() {
        child.kill("SIGTERM");
        await exited;
        rmSync(dir, { recursive: true, force: true });
      },
    };
  };
}

function siteConfig({ apis, byClan, port }: { apis: readonly number[]; byClan: boolean; port: number }): string {
  const site = readDeployed("nginx/clan-affinity.conf").replace("listen 8080;", `listen 127.0.0.1:${port};`);
  const lines = site.split("\n").filter((line) => byClan || !line.includes("hash $clanxp_clan"));
  const [first = -1] = lines.flatMap((line, index) => (line.includes("server 127.0.0.1:") ? [index] : []));
  const others = lines.filter((line, index) => index === first || !line.includes("server 127.0.0.1:"));
  const servers = apis.map((api) => lines[first]?.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${api}`));
  return others.flatMap((line, index) => (index === first ? servers : [line])).join("\n");
}

/** Everything in one folder, and in one process in the foreground. */
function mainConfig(dir: string, site: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(dir, "tmp", kind)};`,
  );
  return `daemon off;
master_process off;
pid ${join(dir, "nginx.pid")};
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  # A load generator keeps its connections.
  keepalive_requests 10000000;
  add_header ${SERVED_BY} $upstream_addr always;
  ${temporary.join("\n  ")}
${site}
}
`;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}
