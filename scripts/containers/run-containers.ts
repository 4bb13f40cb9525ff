// Runs the containers suite if a Docker engine responds, and otherwise prints the reason in one line. Resources of a
// killed run are removed before and after, by their label.

import { createHash } from "node:crypto";
import { failureOf } from "../check/failures.ts";
import { runTests, type Outcome } from "../check/run-tests.ts";
import { root } from "../paths.js";
import { messageOf } from "../system/message-of.js";
import { run } from "../system/run.js";
import { findEngine } from "./engine.ts";
import { prepareImages } from "./images.ts";

const REMOVE_TIMEOUT_MS = 60_000;
/** Everything that the suite creates has this label. Two checkouts may share an engine. */
const RUN = `clanxp-test-${createHash("sha256").update(root).digest("hex").slice(0, 8)}`;
/** Labels of Testcontainers and of Compose. */
const LABELS = [`clanxp.test=${RUN}`, `com.docker.compose.project=${RUN}`];

/** `print`: where vitest's output goes; it is printed here if there is none. */
export async function runContainers({
  args,
  log,
  print,
}: {
  args: string[];
  log: (line: string) => void;
  print?: (text: string) => void;
}): Promise<Outcome | { skipped: string }> {
  const engine = await findEngine(log);
  if ("reason" in engine) return { skipped: `no Docker engine responds: ${engine.reason}` };
  const images = await prepareImages({ env: engine.env, log }).catch((error) => ({ failure: messageOf(error) }));
  if ("reason" in images) return { skipped: images.reason };
  if ("failure" in images) {
    log(images.failure);
    const failure = failureOf({ project: "containers", name: "images", message: images.failure });
    return { passed: 0, failed: 1, failures: [failure] };
  }
  // The reaper of Testcontainers is a separate image, which not every engine can pull. Its work is done here.
  const env = { ...engine.env, ...images.env, TESTCONTAINERS_RYUK_DISABLED: "true", COMPOSE_PROJECT_NAME: RUN };
  await removeLeftovers(env);
  try {
    return await runTests({ args: ["--config", "vitest.containers.config.ts", ...args], env, print });
  } finally {
    await removeLeftovers(env);
  }
}

async function removeLeftovers(env: Record<string, string>) {
  const kinds: [string[], string[]][] = [
    [
      ["ps", "--all"],
      ["rm", "--force", "--volumes"],
    ],
    [
      ["network", "ls"],
      ["network", "rm"],
    ],
    [
      ["volume", "ls"],
      ["volume", "rm", "--force"],
    ],
  ];
  for (const [list, remove] of kinds) {
    for (const label of LABELS) {
      const found = await run("docker", [...list, "--quiet", "--filter", `label=${label}`], {
        env,
        timeoutMs: REMOVE_TIMEOUT_MS,
      });
      const ids = found.ok ? found.output.split("\n").filter(Boolean) : [];
      if (ids.length > 0) await run("docker", [...remove, ...ids], { env, timeoutMs: REMOVE_TIMEOUT_MS });
    }
  }
}
