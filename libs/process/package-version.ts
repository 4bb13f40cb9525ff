// The version of the running package.
import { readFileSync } from "node:fs";

const packageText = readFileSync(new URL("../../package.json", import.meta.url), "utf8");

export const packageVersion = /"version": "([^"]+)"/.exec(packageText)?.[1] ?? "unknown";
