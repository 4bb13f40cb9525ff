// `npx clanxp` for the shell of a page without a Node process for each command: a shell function gives arguments and
// environment to the command line in this process and takes output and exit code from it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { cliOn } from "../support/cli.ts";
import { listenLocally } from "../support/listen-locally.ts";

export async function startCommandLine(): Promise<{ npx: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "clanxp-commands-"));
  const server = createServer((request, response) => {
    void runCall(join(folder, basename(request.url ?? ""))).then((exitCode) => response.end(String(exitCode)));
  });
  const { url, close } = await listenLocally(server);
  return {
    npx: `npx() {
  if [ "\${1-}" != clanxp ]; then command npx "$@"; return; fi
  shift
  local call exit_code
  call="$(mktemp -d '${folder}/XXXXXXXX')"
  { [ $# -eq 0 ] || printf '%s\\0' "$@"; } > "$call/arguments"
  env -0 > "$call/environment"
  exit_code="$(curl -s "${url}/\${call##*/}")"
  cat "$call/stderr" >&2
  cat "$call/stdout"
  return "$exit_code"
}`,
    async close() {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** `folder`: what the shell gives, as texts that end with NUL each; then what the command wrote. */
async function runCall(folder: string): Promise<number> {
  const given = (name: string): string[] => readFileSync(join(folder, name), "utf8").split("\0").slice(0, -1);
  const pairs = given("environment").map((line) => [line, line.indexOf("=")] as const);
  const env = Object.fromEntries(pairs.map(([line, end]) => [line.slice(0, end), line.slice(end + 1)]));
  const { exitCode, stdout, stderr } = await cliOn(env).run(...given("arguments"));
  writeFileSync(join(folder, "stdout"), stdout);
  writeFileSync(join(folder, "stderr"), stderr);
  return exitCode;
}
