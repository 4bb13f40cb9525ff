// The metrics that the processes export, and what an expression asks for beside them.

/** What is exported, each with the labels it has beside Prometheus's own; histograms by their base name. */
export const exported: Readonly<Record<string, readonly string[]>> = {
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

/** The metrics that an expression asks for, histograms by their base name. */
export function metricsIn(expr: string): string[] {
  return [...expr.matchAll(/\b(clanxp_\w+|up)\b(?=[\s{)[]|$)/g)].map(([, name = ""]) => baseName(name));
}

function baseName(name: string): string {
  const base = name.replace(/_(bucket|sum|count)$/, "");
  return base in exported ? base : name;
}

/** Metrics in `expr` that are not exported, and labels that none of its metrics has. */
export function unknownNames(expr: string): string[] {
  const metrics = metricsIn(expr);
  const labels = new Set([...PROMETHEUS_LABELS, ...metrics.flatMap((name) => exported[name] ?? [])]);
  const selected = [...expr.matchAll(/[{,]\s*(\w+)\s*[=!]~?/g)].map(([, label = ""]) => label);
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const unknownLabels = [...grouped, ...selected].filter((label) => !labels.has(label)).map((label) => `label ${label}`);
  return [...metrics.filter((name) => !(name in exported)), ...unknownLabels];
}
