// The Helm chart. Helm gives each file the time of the packaging, which is replaced, so that the archive of a tag
// always has the same bytes.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tools } from "../../tools/list.ts";
import type { Context, Part } from "../part.ts";
import { runOrThrow } from "../run-or-throw.ts";
import { withFixedTimes } from "../with-fixed-times.ts";

export const chart: Part = {
  of: "service",
  settings: ["RELEASE_CHARTS"],
  async make(context) {
    const found = await context.tool(tools.helm);
    if ("reason" in found) return { missing: `helm cannot be had: ${found.reason}` };
    await helm(context, found.value.path, ["package", join(context.source, "deploy/helm/clanxp"), "-d", context.out]);
    const file = `clanxp-${context.versions.service}.tgz`;
    const path = join(context.out, file);
    writeFileSync(path, withFixedTimes(readFileSync(path), context.committedAt));
    return { files: [file] };
  },
  async publish(context, [file = ""]) {
    const found = await context.tool(tools.helm);
    if ("reason" in found) throw new Error(found.reason);
    const place = context.env["RELEASE_CHARTS"] ?? "";
    const output = await helm(context, found.value.path, ["push", join(context.out, file), place]);
    return `${place}/clanxp ${context.versions.service} ${/sha256:\w+/.exec(output)?.[0] ?? ""}`.trim();
  },
};

function helm({ env }: Context, path: string, args: string[]) {
  return runOrThrow(`helm ${args[0]}`, path, args, { env });
}
