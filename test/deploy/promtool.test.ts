// The alerts as Prometheus itself judges them.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.js";
import { cases, harmless, quiet, type Series } from "./alert-cases.ts";
import { shippedAlerts } from "./alerts.ts";
import { dashboardQueries } from "./grafana-dashboard.ts";
import { toolOrNull } from "./tool.ts";

const promtool = await toolOrNull("promtool");
const rules = join(root, "deploy/prometheus/alerts.yml");
/** The most patient alert waits for half an hour. */
const WHEN = "39m";

test("every alert has a promtool test that raises it", () => {
  expect(Object.keys(cases)).toStrictEqual(shippedAlerts().map(({ alert }) => alert));
});

test.skipIf(!promtool)("Prometheus accepts the alerts and the configuration", async () => {
  expect(await promtool?.("check", "rules", rules)).toContain("SUCCESS");
  expect(await promtool?.("check", "config", join(root, "deploy/prometheus/prometheus.yml"))).toContain("SUCCESS");
});

test.skipIf(!promtool)(
  "a healthy service raises no alert, and each fault raises only its own",
  async () => {
    const tests = [
      raises(quiet, []),
      raises({ ...quiet, ...harmless }, []),
      ...Object.entries(cases).map(([alert, changes]) => {
        const changed = Object.entries({ ...quiet, ...changes }).filter(
          (entry): entry is [string, string] => entry[1] !== null,
        );
        return raises(Object.fromEntries(changed), [alert]);
      }),
    ];
    expect(await promtool?.("test", "rules", testFile(tests))).toContain("SUCCESS");
  },
  120_000,
);

test.skipIf(!promtool)("Prometheus can parse every query of the Grafana dashboard", async () => {
  const groups = [
    {
      name: "panels",
      rules: dashboardQueries.map(({ expr }, index) => ({ record: `panel_${index}`, expr: filledIn(expr) })),
    },
  ];
  expect(groups[0]?.rules.length).toBeGreaterThan(20);
  expect(await promtool?.("check", "rules", jsonFile({ groups }))).toContain("SUCCESS");
});

test.skipIf(!promtool)("a missing alert is detected", async () => {
  await expect(promtool?.("test", "rules", testFile([raises(quiet, ["ClanxpApiDown"])]))).rejects.toThrow(
    "ClanxpApiDown",
  );
});

function raises(series: Series, alerts: readonly string[]) {
  return {
    interval: "30s",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
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

/** A query as Grafana sends it: with its variable filled in. */
function filledIn(expr: string): string {
  return expr.replaceAll("$__rate_interval", "1m");
}

/** YAML is a superset of JSON. */
function jsonFile(content: object): string {
  const file = join(mkdtempSync(join(tmpdir(), "clanxp-promtool-")), "file.yml");
  writeFileSync(file, JSON.stringify(content));
  return file;
}
