// The images of the containers suite: those of the servers, by their official names unless the environment names
// others, and the product's own in two versions. If an image cannot be pulled, it is built from Debian's packages,
// provided that the base image is available.

import { join } from "node:path";
import { root } from "../paths.js";
import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";

const INSPECT_TIMEOUT_MS = 10_000;
const PULL_TIMEOUT_MS = 5 * 60_000;
const BUILD_TIMEOUT_MS = 5 * 60_000;

const OFFICIAL = [
  { setting: "NODE_IMAGE", image: "node:24-slim" },
  { setting: "MONGO_IMAGE", image: "mongo:8.0" },
  { setting: "REDIS_IMAGE", image: "redis:8", standIn: "redis" },
  { setting: "HAPROXY_IMAGE", image: "haproxy:3.0", standIn: "haproxy" },
  { setting: "CADDY_IMAGE", image: "caddy:2", standIn: "caddy" },
];
/** The second one is the target of a rolling update: the same code under another name. */
const PRODUCT = [
  { setting: "CLANXP_IMAGE", image: "clanxp-test:one", revision: "one" },
  { setting: "CLANXP_NEXT_IMAGE", image: "clanxp-test:two", revision: "two" },
];

/**
 * The settings that name the images; a reason when an official image is unavailable. Throws when ours cannot be built
 * from them.
 */
export async function prepareImages({
  env,
  log,
}: {
  env: Record<string, string>;
  log: (line: string) => void;
}): Promise<{ env: Record<string, string> } | { reason: string }> {
  const names: Record<string, string> = {};
  for (const { setting, image, standIn } of OFFICIAL) {
    const answer = await serverImage(process.env[setting] ?? image, standIn, env, log);
    if ("reason" in answer) return answer;
    names[setting] = answer.image;
  }
  for (const { setting, image, revision } of PRODUCT) {
    const values: Record<string, string | undefined> = {
      ...names,
      NPM_CONFIG_REGISTRY: process.env["NPM_CONFIG_REGISTRY"],
      REVISION: revision,
    };
    const buildArgs = ["NODE_IMAGE", "NPM_CONFIG_REGISTRY", "REVISION"].flatMap((name) =>
      values[name] ? ["--build-arg", `${name}=${values[name]}`] : [],
    );
    const args = ["build", "--tag", image, ...buildArgs, root];
    const built = await docker(args, { env, log, timeoutMs: BUILD_TIMEOUT_MS, what: `building ${image}` });
    if (!built.ok) throw new Error(`The image cannot be built: ${built.reason}\n${built.output}`);
    names[setting] = image;
  }
  return { env: names };
}

/** `standIn` names a file in test/containers/stand-ins. */
async function serverImage(
  image: string,
  standIn: string | undefined,
  env: Record<string, string>,
  log: (line: string) => void,
): Promise<{ image: string } | { reason: string }> {
  const present = await run("docker", ["image", "inspect", image], { env, timeoutMs: INSPECT_TIMEOUT_MS });
  if (present.ok) return { image };
  const pulled = await docker(["pull", image], { env, log, timeoutMs: PULL_TIMEOUT_MS, what: `pulling ${image}` });
  if (pulled.ok) return { image };
  if (standIn === undefined)
    return { reason: `image ${image} is not available locally and cannot be pulled: ${pulled.reason}` };
  const tag = `clanxp-standin-${standIn}`;
  const folder = join(root, "test", "containers", "stand-ins");
  const what = `building ${tag}, since ${image} cannot be pulled`;
  const built = await docker(["build", "--tag", tag, "--file", join(folder, `${standIn}.dockerfile`), folder], {
    env,
    log,
    timeoutMs: BUILD_TIMEOUT_MS,
    what,
  });
  return built.ok ? { image: tag } : { reason: `image ${image} can be neither pulled nor replaced: ${built.reason}` };
}

function docker(
  args: string[],
  {
    env,
    log,
    timeoutMs,
    what,
  }: { env: Record<string, string>; log: (line: string) => void; timeoutMs: number; what: string },
) {
  return withProgress(log, what, run("docker", args, { env, timeoutMs }));
}
