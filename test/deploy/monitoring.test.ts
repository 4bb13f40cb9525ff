// Dashboard, alerts and runbook: they speak of the metrics that the processes export, and of each other.
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readPage } from "../docs/page.ts";
import { readDeployed, shippedAlerts } from "./alerts.ts";

const Dashboard = z.object({
  uid: z.string(),
  panels: z.array(z.object({ id: z.number(), title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() })),
});

/** What is exported, each with the labels it has beside Prometheus's own; histograms by their base name. */
const exported: Readonly<Record<string, readonly string[]>> = {
  up: [],
  clanxp_http_requests_total: ["route", "method", "status"],
  clanxp_http_request_duration_seconds: ["route", "method", "le"],
  clanxp_problems_total: ["code"],
  clanxp_awards_total: ["outcome"],
  clanxp_award_rejections_total: ["code"],
  clanxp_commit_duration_seconds: ["le"],
  clanxp_flight_awards: ["le"],
  clanxp_commit_results_total: ["result"],
  clanxp_lock_wait_seconds: ["le"],
  clanxp_lock_refused_total: [],
  clanxp_lock_skipped_total: [],
  clanxp_awards_waiting: [],
  clanxp_batches_waiting: [],
  clanxp_batches_running: [],
  clanxp_batch_oldest_waiting_seconds: [],
  clanxp_batch_awards_waiting: [],
  clanxp_queue_paused: [],
  clanxp_sweeps_total: [],
  clanxp_sweep_requeued_total: [],
  clanxp_worker_busy_ratio: [],
  clanxp_batches_done_total: [],
  clanxp_key_cache_total: ["result"],
  clanxp_rate_limited_total: ["of"],
  clanxp_build_info: ["version", "commit"],
  clanxp_nodejs_eventloop_lag_p99_seconds: [],
  clanxp_process_cpu_seconds_total: [],
  clanxp_process_resident_memory_bytes: [],
};
const PROMETHEUS_LABELS = ["job", "instance"];

const dashboard = Dashboard.parse(JSON.parse(readDeployed("grafana/clanxp.json")));
const asked = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: `panel ${title}`, expr }))),
  ...shippedAlerts().map(({ alert, expr }) => ({ where: `alert ${alert}`, expr })),
];

test("dashboard and alerts ask for nothing that is not exported, neither metric nor label", () => {
  expect(asked.flatMap(({ where, expr }) => unknownNames(expr).map((name) => `${where} asks for ${name}`))).toStrictEqual([]);
});

test("what is exported can be seen on the dashboard", () => {
  const shown = new Set(asked.flatMap(({ expr }) => metricsIn(expr)));
  expect(Object.keys(exported).filter((name) => !shown.has(name))).toStrictEqual([]);
});

test("a metric or label that nobody exports is noticed", () => {
  expect(unknownNames('sum by (clan) (rate(clanxp_awards_total{outcom="applied"}[5m]))')).toStrictEqual(["label clan", "label outcom"]);
  expect(unknownNames("max(clanxp_batches_lost)")).toStrictEqual(["clanxp_batches_lost"]);
});

test("every panel of the dashboard has its own id", () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("every alert links its runbook section, and no section is about an alert that is gone", () => {
  const sections = [
    ...readPage("docs/runbook.md").matchAll(/^### (Clanxp\w+)\n\n\*\*Means\*\* .+?\n\*\*First look\*\* .+?\n\*\*Way out\*\* /gms),
  ];
  const names = shippedAlerts().map(({ alert }) => alert);
  expect(new Set(sections.map(([, name]) => name))).toStrictEqual(new Set(names));
  expect(sections).toHaveLength(names.length);
  for (const { alert, annotations } of shippedAlerts()) expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
});

test("every clanxp command that the runbook names is one that docs/operations.md shows, and so one that a test runs", () => {
  const commands = (page: string): string[] => [...page.matchAll(/npx clanxp ([a-z]+(?: [a-z]+\b)?)/g)].map(([, name = ""]) => name);
  const shown = new Set(commands(readPage("docs/operations.md")));
  expect(commands(readPage("docs/runbook.md")).filter((name) => !shown.has(name))).toStrictEqual([]);
});

test("Prometheus finds api and worker by DNS under the job names that the alerts ask for, Grafana its datasource", () => {
  const config = parse(readDeployed("prometheus/prometheus.yml"));
  expect(config.scrape_configs).toMatchObject([
    { job_name: "clanxp-api", dns_sd_configs: [{ names: ["api"], type: "A", port: 9090 }] },
    { job_name: "clanxp-worker", dns_sd_configs: [{ names: ["worker"], type: "A", port: 9090 }] },
  ]);
  expect(config.rule_files).toStrictEqual(["alerts.yml"]);
  expect(parse(readDeployed("grafana/provisioning/datasources/prometheus.yml")).datasources[0].type).toBe("prometheus");
  expect(parse(readDeployed("grafana/provisioning/dashboards/clanxp.yml")).providers).toHaveLength(1);
});

function metricsIn(expr: string): string[] {
  return [...expr.matchAll(/\b(clanxp_\w+|up)\b(?=[\s{)[]|$)/g)].map(([, name = ""]) => baseName(name));
}

function baseName(name: string): string {
  const base = name.replace(/_(bucket|sum|count)$/, "");
  return base in exported ? base : name;
}

/** Metrics in `expr` that are not exported, and labels that none of its metrics has. */
function unknownNames(expr: string): string[] {
  const metrics = metricsIn(expr);
  const labels = new Set([...PROMETHEUS_LABELS, ...metrics.flatMap((name) => exported[name] ?? [])]);
  const selected = [...expr.matchAll(/[{,]\s*(\w+)\s*[=!]~?/g)].map(([, label = ""]) => label);
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const unknownLabels = [...grouped, ...selected].filter((label) => !labels.has(label)).map((label) => `label ${label}`);
  return [...metrics.filter((name) => !(name in exported)), ...unknownLabels];
}
