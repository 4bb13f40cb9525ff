// Dashboard, alerts and runbook: they speak of the metrics that the processes export, and of each other.
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readPage } from "../support/docs-page.ts";
import { readDeployed, shippedAlerts } from "./alerts.ts";
import { dashboard, dashboardQueries } from "./grafana-dashboard.ts";
import { described, metricsIn, unknownNames } from "./exported-metrics.ts";

const queries = [...dashboardQueries, ...shippedAlerts().map(({ alert, expr }) => ({ where: `alert ${alert}`, expr }))];

test("the Grafana dashboard and the alerts use only exported metrics and labels", () => {
  expect(
    queries.flatMap(({ where, expr }) => unknownNames(expr).map((name) => `${where} asks for ${name}`)),
  ).toStrictEqual([]);
});

test("every exported metric is on the Grafana dashboard", () => {
  expect(Object.keys(described).length).toBeGreaterThan(20);
  const shown = new Set(queries.flatMap(({ expr }) => metricsIn(expr)));
  expect(Object.keys(described).filter((name) => !shown.has(name))).toStrictEqual([]);
});

test("a metric or label that is not exported is detected", () => {
  expect(unknownNames('sum by (clan) (rate(clanxp_awards_total{outcom="applied"}[5m]))')).toStrictEqual([
    "label clan",
    "label outcom",
  ]);
  expect(unknownNames("max(clanxp_batches_lost)")).toStrictEqual(["clanxp_batches_lost"]);
});

test("every panel of the Grafana dashboard has a unique ID", () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the variables of the Grafana dashboard limit every metric that it reads", () => {
  const names = dashboard.templating.list.map(({ name }) => name);
  expect(names).toStrictEqual(["datasource", "namespace", "job", "instance", "clan"]);
  const ofKeys = (expr: string): string => (expr.includes("clanxp_key_expires") ? ',clan=~"$clan"' : "");
  const limits = '{namespace=~"$namespace",job=~"$job",instance=~"$instance"';
  const unlimited = dashboardQueries.filter(
    ({ expr }) => expr.split(limits + ofKeys(expr)).length !== metricsIn(expr).length + 1,
  );
  expect(unlimited).toStrictEqual([]);
});

test("every alert links to its runbook section, and every section belongs to an alert", () => {
  const sections = [
    ...readPage("docs/how-to/runbook.md").matchAll(
      /^### (Clanxp\w+)\n\n- \*\*Meaning:\*\* .+?\n- \*\*Diagnosis:\*\* .+?\n- \*\*Resolution:\*\* /gms,
    ),
  ];
  const names = shippedAlerts().map(({ alert }) => alert);
  expect(new Set(sections.map(([, name]) => name))).toStrictEqual(new Set(names));
  expect(sections).toHaveLength(names.length);
  for (const { alert, annotations } of shippedAlerts())
    expect(annotations.runbook_url).toBe(`docs/how-to/runbook.md#${alert.toLowerCase()}`);
});

test("every clanxp command in the runbook is listed in docs/reference/cli.md", () => {
  const commands = (page: string): string[] =>
    [...page.matchAll(/`clanxp ([a-z]+(?: [a-z]+\b)?)/g)].map(([, name = ""]) => name);
  const shown = new Set(
    [...readPage("docs/reference/cli.md").matchAll(/^\| `([a-z]+(?: [a-z]+\b)?)/gm)].map(([, name = ""]) => name),
  );
  expect(commands(readPage("docs/how-to/runbook.md")).filter((name) => !shown.has(name))).toStrictEqual([]);
});

test("Prometheus finds each process by DNS under the job names of the alerts, Grafana its datasource", () => {
  const config = parse(readDeployed("prometheus/prometheus.yml"));
  expect(config.scrape_configs).toMatchObject([
    { job_name: "clanxp-api", dns_sd_configs: [{ names: ["api"], type: "A", port: 9090 }] },
    { job_name: "clanxp-worker", dns_sd_configs: [{ names: ["worker"], type: "A", port: 9090 }] },
    { job_name: "clanxp-notifier", dns_sd_configs: [{ names: ["notifier"], type: "A", port: 9090 }] },
    { job_name: "clanxp-dashboard", dns_sd_configs: [{ names: ["dashboard"], type: "A", port: 9090 }] },
  ]);
  expect(config.rule_files).toStrictEqual(["alerts.yml"]);
  expect(parse(readDeployed("grafana/provisioning/datasources/prometheus.yml")).datasources[0].type).toBe("prometheus");
  expect(parse(readDeployed("grafana/provisioning/dashboards/clanxp.yml")).providers).toHaveLength(1);
});
