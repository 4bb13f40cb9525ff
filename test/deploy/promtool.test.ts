// The alerts as Prometheus itself judges them.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { root } from "../../scripts/paths.js";
import { cases, harmless, quiet } from "./alert-cases.ts";
import { shippedAlerts } from "./alerts.ts";
import { dashboardQueries } from "./grafana-dashboard.ts";
import { toolOrNull } from "./tool.ts";

const promtool = await toolOrNull("promtool");
const rules = join(root, "deploy/prometheus/alerts.yml");
/** The most patient alert waits for half an hour. */
const WHEN = "39m";
vi.setConfig({ testTimeout: 120_000 });

test("every alert has a promtool test that raises it", () => {
  expect(Object.keys(cases)).toStrictEqual(shippedAlerts().map(({ alert }) => alert));
});

test.skipIf(!promtool)("Prometheus accepts the alerts and the configuration", async () => {
  expect(await promtool?.("check", "rules", rules)).toContain("SUCCESS");
  expect(await promtool?.("check", "config", join(root, "deploy/prometheus/prometheus.yml"))).toContain("SUCCESS");
});

test.skipIf(!promtool)("a healthy service raises no alert, and each fault raises only its own", async () => {
  const tests = [
    raises(quiet, []),
    raises({ ...quiet, ...harmless }, []),
    ...Object.entries(cases).map(([alert, changes]) => raises({ ...quiet, ...changes }, [alert])),
  ];
  expect(await promtool?.("test", "rules", testFile(tests))).toContain("SUCCESS");
});

test.skipIf(!promtool)("Prometheus can parse every query of the Grafana dashboard", async () => {
  // As Grafana sends it: with its variable filled in.
  const asked = dashboardQueries.map(({ expr }) => expr.replaceAll("$__rate_interval", "1m"));
  const panels = asked.map((expr, index) => ({ record: `panel_${index}`, expr }));
  expect(panels.length).toBeGreaterThan(20);
  const groups = [{ name: "panels", rules: panels }];
  expect(await promtool?.("check", "rules", jsonFile({ groups }))).toContain("SUCCESS");
});

test.skipIf(!promtool)("a missing alert is detected", async () => {
  const missing = testFile([raises(quiet, ["ClanxpApiDown"])]);
  await expect(promtool?.("test", "rules", missing)).rejects.toThrow("ClanxpApiDown");
});

/** A series that is null is none. */
function raises(series: Readonly<Record<string, string | null>>, alerts: readonly string[]) {
  const given = Object.entries(series).filter(([, values]) => values !== null);
  return {
    interval: "30s",
    input_series: given.map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: WHEN,
        exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  };
}

function testFile(tests: readonly unknown[]): string {
  return jsonFile({ rule_files: [rules], evaluation_interval: "30s", tests });
}

/** YAML is a superset of JSON. */
function jsonFile(content: object): string {
  const file = join(mkdtempSync(join(tmpdir(), "clanxp-promtool-")), "file.yml");
  writeFileSync(file, JSON.stringify(content));
  return file;
}
