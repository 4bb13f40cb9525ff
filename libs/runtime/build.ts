// What runs: the version of the package, and the commit it was built from, where the environment tells.
import { readFileSync } from "node:fs";
import { z } from "zod";

const Package = z.object({ version: z.string() });

export function readBuild(commit: string): { version: string; commit: string } {
  const { version } = Package.parse(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")));
  return { version, commit };
}
