// The shipped alerts, as a test reads them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { root } from "../../scripts/paths.js";

const Alert = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(["critical", "warning", "info"]) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook_url: z.string() }),
});
export type Alert = z.infer<typeof Alert>;

const Rules = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Alert) })) });

export function readDeployed(path: string): string {
  return readFileSync(join(root, "deploy", path), "utf8");
}

export function shippedAlerts(): Alert[] {
  return Rules.parse(parse(readDeployed("prometheus/alerts.yml"))).groups.flatMap(({ rules }) => rules);
}
