// A server in a container of its official image, if a Docker engine responds.

import { withProgress } from "../system/progress.js";
import { run } from "../system/run.js";
import { versionIn } from "./version.ts";
import type { Provider } from "./find-server.ts";

const ENGINE_TIMEOUT_MS = 3_000; // a running engine responds in milliseconds
const PULL_TIMEOUT_MS = 10 * 60_000;
const FIRST_RUN_TIMEOUT_MS = 30_000;

export function docker({ image, program }: { image: string; program: string }): Provider {
  return {
    title: "Docker",
    async find({ mayFetch, log }) {
      const engine = await run("docker", ["version", "--format", "{{.Server.Version}}"], {
        timeoutMs: ENGINE_TIMEOUT_MS,
      });
      if (!engine.ok) return { reason: engine.reason };

      const present = await run("docker", ["image", "inspect", image], {
        timeoutMs: ENGINE_TIMEOUT_MS,
      });
      if (!present.ok && !mayFetch) return { reason: `image ${image} is not pulled yet` };
      if (!present.ok) {
        const pulling = run("docker", ["pull", image], { timeoutMs: PULL_TIMEOUT_MS });
        const pulled = await withProgress(log, `pulling Docker image ${image}`, pulling);
        if (!pulled.ok) return { reason: pulled.reason };
      }

      const args = ["run", "--rm", "--entrypoint", program, image, "--version"];
      const ended = await run("docker", args, { timeoutMs: FIRST_RUN_TIMEOUT_MS });
      if (!ended.ok) return { reason: ended.reason };
      const version = versionIn(ended.output);
      if ("reason" in version) return version;
      return {
        found: { command: program, version: version.value, from: `Docker image ${image}`, image },
      };
    },
  };
}
