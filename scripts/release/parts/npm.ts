// The TypeScript client, as npm packs it. It is published with provenance where a token of OpenID Connect can be had,
// which is in a workflow only.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../system/message-of.js";
import type { Context, Part } from "../part.ts";
import { runNpm } from "../run-npm.ts";

const NAME = "@clanxp/client";
const FOLDER = "clients/typescript";

export const npm: Part = {
  of: "typescript",
  async make(context) {
    const folder = join(context.source, FOLDER);
    await runNpm(context.npmCli, ["ci", "--no-audit", "--no-fund", "--prefer-offline"], folder);
    const address = context.env["RELEASE_REPOSITORY"];
    // Registries accept a statement of provenance only for the repository that the package names.
    const named = [`repository.url=git+${address}.git`, "repository.type=git", `repository.directory=${FOLDER}`];
    if (address) await runNpm(context.npmCli, ["pkg", "set", ...named], folder);
    await runNpm(context.npmCli, ["pack", "--pack-destination", context.out], folder);
    return { files: [`clanxp-client-${context.versions.typescript}.tgz`] };
  },
  async publish(context, [file = ""]) {
    const spec = `${NAME}@${context.versions.typescript}`;
    const path = join(context.out, file);
    const integrity = `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}`;
    const published = await publishedIntegrity(context, spec);
    if (published === integrity) return `${spec}, which was published before with the same content`;
    if (published !== "")
      throw new Error(`${spec} is already published with other content: give the client its next version`);
    const hasIdentity = context.env["ACTIONS_ID_TOKEN_REQUEST_URL"] !== undefined;
    const args = ["publish", path, "--access", "public", ...(hasIdentity ? ["--provenance"] : [])];
    await runNpm(context.npmCli, args, context.out);
    return `${spec}, ${hasIdentity ? "with" : "without"} provenance`;
  },
};

/** "" if this version is not published. */
async function publishedIntegrity({ npmCli, out }: Context, spec: string) {
  try {
    return (await runNpm(npmCli, ["view", spec, "dist.integrity", "--loglevel=error"], out)).trim();
  } catch (error) {
    if (messageOf(error).includes("E404")) return "";
    throw error;
  }
}
