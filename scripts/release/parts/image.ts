// The container image as an archive: of several architectures where Docker's buildx can build them, otherwise of this
// machine's own. It is pushed from the same build.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findEngine } from "../../containers/engine.ts";
import { run } from "../../system/run.js";
import type { Context, Part } from "../part.ts";
import { runOrThrow } from "../run-or-throw.ts";

const PLATFORMS = ["linux/amd64", "linux/arm64"];
/** Another architecture is emulated, which takes about ten times as long. */
const BUILD_TIMEOUT_MS = 60 * 60_000;
const PUSH_TIMEOUT_MS = 30 * 60_000;
const ANSWER_TIMEOUT_MS = 60_000;

export const image: Part = {
  of: "service",
  settings: ["RELEASE_IMAGE"],
  async make(context) {
    const engine = await findEngine(context.log);
    if ("reason" in engine) return { missing: `no Docker engine responds: ${engine.reason}` };
    const name = `clanxp-${context.versions.service}-image`;
    const single = await whySingle(engine.env);
    if (single === undefined) {
      const file = `${name}.oci.tar`;
      await docker(engine.env, multiBuild(context, ["--output", `type=oci,dest=${join(context.out, file)}`]));
      return { files: [file], note: `for ${PLATFORMS.join(" and ")}` };
    }
    const tag = localTag(context);
    // The builder of the engine itself: others do not hand the image over to the engine.
    const env = { ...engine.env, BUILDX_BUILDER: "default" };
    await docker(env, ["build", "--tag", tag, ...buildArgs(context), context.source]);
    const format = "{{.Os}}/{{.Architecture}}";
    const platform = (await docker(engine.env, ["image", "inspect", "--format", format, tag])).trim();
    const file = `${name}-${platform.replace("/", "-")}.tar`;
    await docker(engine.env, ["save", "--output", join(context.out, file), tag]);
    return { files: [file], note: `for ${platform} only, because ${single}` };
  },
  async publish(context) {
    const engine = await findEngine(context.log);
    if ("reason" in engine) throw new Error(engine.reason);
    const published = `${context.env["RELEASE_IMAGE"]}:${context.versions.service}`;
    if ((await whySingle(engine.env)) === undefined) {
      const facts = join(context.source, "image.json");
      await docker(engine.env, multiBuild(context, ["--tag", published, "--push", "--metadata-file", facts]));
      return `${published}@${JSON.parse(readFileSync(facts, "utf8"))["containerimage.digest"]}`;
    }
    await docker(engine.env, ["tag", localTag(context), published]);
    const output = await docker(engine.env, ["push", published], PUSH_TIMEOUT_MS);
    return `${published}@${/sha256:\w+/.exec(output)?.[0] ?? ""}`;
  },
};

/** Why the image can be built for this machine's own architecture only. */
async function whySingle(env: Record<string, string>): Promise<string | undefined> {
  const builder = await run("docker", ["buildx", "inspect", "--bootstrap"], { env, timeoutMs: ANSWER_TIMEOUT_MS });
  // Without buildx, Docker's own output is its list of commands.
  if (!builder.ok) return "buildx is not installed, or has no builder (docker buildx inspect --bootstrap)";
  // The driver of the engine itself can neither build several architectures nor write an archive of them.
  if (!/^Driver:\s+docker-container$/m.test(builder.output)) return "the builder of buildx does not run in a container";
  const missing = PLATFORMS.filter((platform) => !builder.output.includes(platform));
  return missing.length === 0 ? undefined : `the builder of buildx cannot build ${missing.join(" and ")}`;
}

function multiBuild(context: Context, result: string[]) {
  const platforms = ["--platform", PLATFORMS.join(",")];
  // Statements of provenance have the time of the build: with them, the archive and the pushed image would differ.
  const same = ["--provenance=false", "--build-arg", `SOURCE_DATE_EPOCH=${context.committedAt}`];
  return ["buildx", "build", ...platforms, ...same, ...buildArgs(context), ...result, context.source];
}

function buildArgs({ versions, commit, env }: Context) {
  const values = {
    VERSION: versions.service,
    REVISION: commit,
    NODE_IMAGE: env["NODE_IMAGE"],
    NPM_CONFIG_REGISTRY: env["NPM_CONFIG_REGISTRY"],
  };
  return Object.entries(values).flatMap(([name, value]) => (value ? ["--build-arg", `${name}=${value}`] : []));
}

function localTag({ versions }: Context) {
  return `clanxp:${versions.service}`;
}

function docker(env: Record<string, string>, args: string[], timeoutMs = BUILD_TIMEOUT_MS) {
  return runOrThrow(`docker ${args[0]}`, "docker", args, { env, timeoutMs });
}
