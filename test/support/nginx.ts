// nginx with a configuration of `deploy/` or of a page, in front of APIs of a test or a benchmark.
// `npm run setup:tools` fetches it.
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
/**
 * `site`: the content of a file in `conf.d`, in which one server listens; here it does so at `port`. `files`: those
 * that the site includes, by their path relative to the configuration's folder.
 */
export type StartNginx = (site: string, files?: Readonly<Record<string, string>>) => Promise<Nginx>;

/** The response header that names the API. */
export const SERVED_BY = "x-served-by";

/** Null, and a line on standard output, where nginx is not in the cache. */
export async function nginxOrNull(): Promise<StartNginx | null> {
  const found = await foundOrNull("nginx");
  if (!found) return null;
  return async (site, files = {}) => {
    const [dir, port] = [mkdtempSync(join(tmpdir(), "clanxp-nginx-")), await freePort()];
    if (!/ listen 80(?:80)?;/.test(site)) throw new Error("the configuration has no `listen 80;`");
    const own = { "site.conf": site.replace(/ listen 80(?:80)?;/, ` listen 127.0.0.1:${port};`), "nginx.conf": MAIN };
    for (const [name, text] of Object.entries({ ...files, ...own })) writeFileSync(join(dir, name), text);
    mkdirSync(join(dir, "tmp"));
    // -p sets the prefix of relative paths in the configuration; -c is relative to it too.
    const child = spawn(found.path, ["-p", dir, "-c", "nginx.conf", "-e", "stderr"], {
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

/** The shipped configuration before these APIs. `byClan: false`: requests in turn. */
export function affinitySite({ apis, byClan }: { apis: readonly number[]; byClan: boolean }): string {
  const lines = readDeployed("nginx/clan-affinity.conf")
    .split("\n")
    .filter((line) => byClan || !line.includes("hash $clanxp_clan"));
  const [first = -1] = lines.flatMap((line, index) => (line.includes("server 127.0.0.1:") ? [index] : []));
  const others = lines.filter((line, index) => index === first || !line.includes("server 127.0.0.1:"));
  const servers = apis.map((api) => lines[first]?.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${api}`));
  return others.flatMap((line, index) => (index === first ? servers : [line])).join("\n");
}

/** One process in the foreground, which writes into its own folder only. A load generator keeps its connections. */
const MAIN = `daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 10000000;
  add_header ${SERVED_BY} $upstream_addr always;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path tmp/${kind};`).join("\n  ")}
  include site.conf;
}
`;

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}
