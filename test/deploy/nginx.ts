// Debian's nginx with a configuration of `deploy/`, on a free port of this machine. It ends with its test.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { cacheDir } from "../../scripts/paths.js";
import { freePort } from "../../scripts/services/ports.ts";
import { tools } from "../../scripts/tools/list.ts";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { toolOrNull } from "./tool.ts";

/**
 * Starts nginx with the content of a file in `conf.d`, whose server must listen on port 80, and resolves with the port
 * that it listens on instead. `files`: those that it includes, by their path relative to the configuration's folder.
 */
export type StartNginx = (conf: string, files?: Readonly<Record<string, string>>) => Promise<number>;

/** Null, and a line on standard output, if nginx is not in the cache. */
export async function nginxOrNull(): Promise<StartNginx | null> {
  const check = await toolOrNull("nginx");
  return check && (async (conf, files = {}) => start(check, conf, files));
}

async function start(
  run: (...args: string[]) => Promise<string>,
  conf: string,
  files: Readonly<Record<string, string>>,
): Promise<number> {
  const [dir, port] = [tempDir(), await freePort()];
  if (!conf.includes("listen 80;")) throw new Error("the configuration has no `listen 80;`");
  mkdirSync(join(dir, "temp"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  writeFileSync(join(dir, "example.conf"), conf.replace("listen 80;", `listen 127.0.0.1:${port};`));
  writeFileSync(join(dir, "nginx.conf"), MAIN);
  // -p sets the prefix of relative paths in the configuration; -c is relative to it too.
  const args = ["-p", dir, "-c", "nginx.conf", "-e", "stderr"];
  await run(...args, "-t");

  const dirOfTool = join(cacheDir, "tools", tools.nginx.folder);
  const child = spawn(tools.nginx.program(dirOfTool), args, {
    env: { ...process.env, ...tools.nginx.env(dirOfTool) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx exited:\n${said}`);
    return accepts(port);
  });
  return port;
}

/** One process, which runs as the user of the tests and writes into its own folder only. */
const MAIN = `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path temp/body;
  proxy_temp_path temp/proxy;
  fastcgi_temp_path temp/fastcgi;
  uwsgi_temp_path temp/uwsgi;
  scgi_temp_path temp/scgi;
  include example.conf;
}
`;

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
}
