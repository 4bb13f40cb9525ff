// For each alert a history that must raise it; a sample every 30 s, in promtool's notation. `quiet` is one of a service
// at work that raises none.

export type Series = Readonly<Record<string, string>>;

const SAMPLES = 80;
const steady = (value: number): string => `${value}x${SAMPLES}`;
/** A counter that rises by so much every 30 s. */
const rising = (by: number): string => `0+${by}x${SAMPLES}`;
/** A counter that rises so for 20 minutes, and not any more. */
const stopping = (by: number): string => `0+${by}x40 ${40 * by}x39`;

export const quiet: Series = {
  'up{job="clanxp-api",instance="a:9090"}': steady(1),
  'up{job="clanxp-worker",instance="w:9090"}': steady(1),
  'up{job="clanxp-notifier",instance="n:9090"}': steady(1),
  'clanxp_http_requests_total{route="award",method="POST",status="200"}': rising(1_000),
  'clanxp_http_requests_total{route="award",method="POST",status="503"}': rising(5),
  'clanxp_http_request_duration_seconds_bucket{process="api",route="apply-award",le="1"}': rising(995),
  'clanxp_http_request_duration_seconds_bucket{process="api",route="apply-award",le="2.5"}': rising(1_000),
  'clanxp_http_request_duration_seconds_bucket{process="api",route="apply-award",le="+Inf"}': rising(1_000),
  'clanxp_http_request_duration_seconds_count{process="api",route="apply-award"}': rising(1_000),
  // A call that waits for an event is slow on purpose, and the dashboard has other alerts.
  'clanxp_http_request_duration_seconds_bucket{process="api",route="list-events",le="1"}': rising(0),
  'clanxp_http_request_duration_seconds_bucket{process="api",route="list-events",le="+Inf"}': rising(1_000),
  'clanxp_awards_total{outcome="applied",instance="a:9090"}': rising(1_000),
  'clanxp_problems_total{code="internal"}': steady(3),
  'clanxp_problems_total{code="busy"}': steady(40),
  'clanxp_problems_total{code="key_invalid"}': rising(30),
  'clanxp_rate_limited_total{limit="awards"}': rising(3),
  'clanxp_key_expires_timestamp_seconds{clan="pirates",key="k1",instance="w:9090"}': steady(30 * 86_400),
  'clanxp_key_budget_used_ratio{clan="pirates",key="k1",instance="w:9090"}': steady(0.8),
  'clanxp_commits_total{result="committed"}': rising(100),
  'clanxp_commits_total{result="conflict"}': rising(5),
  'clanxp_commits_total{result="unknown"}': steady(10),
  'clanxp_commits_total{result="unavailable"}': steady(10),
  'clanxp_commit_duration_seconds_bucket{le="0.1"}': rising(995),
  'clanxp_commit_duration_seconds_bucket{le="1"}': rising(1_000),
  'clanxp_commit_duration_seconds_bucket{le="+Inf"}': rising(1_000),
  clanxp_lock_skipped_total: rising(1),
  'clanxp_batch_oldest_waiting_seconds{job="clanxp-worker"}': steady(3),
  'clanxp_batches_running{job="clanxp-worker"}': steady(4),
  clanxp_batches_completed_total: rising(100),
  clanxp_worker_utilization_ratio: steady(0.5),
  clanxp_queue_paused: steady(0),
  clanxp_batches_requeued_total: steady(100),
  clanxp_recovery_scans_total: rising(6),
  'clanxp_projection_lag_seconds{job="clanxp-api",instance="a:9090"}': steady(0.4),
  'clanxp_erasure_oldest_seconds{job="clanxp-worker"}': steady(8),
  'clanxp_erasure_requests_held{job="clanxp-worker"}': steady(0),
  'clanxp_events_unnumbered_oldest_seconds{job="clanxp-worker",instance="w:9090"}': steady(0.2),
  // Another worker numbers them all.
  'clanxp_events_unnumbered_oldest_seconds{job="clanxp-worker",instance="x:9090"}': `1+30x${SAMPLES}`,
  'clanxp_delivery_behind_oldest_seconds{kind="webhook",instance="n:9090"}': steady(40),
  'clanxp_destinations{kind="webhook",state="active",instance="n:9090"}': steady(8),
  'clanxp_destinations{kind="webhook",state="failing",instance="n:9090"}': steady(2),
  // The same destinations, as another notifier reports them.
  'clanxp_destinations{kind="webhook",state="failing",instance="o:9090"}': steady(2),
  'clanxp_destinations{kind="webhook",state="disabled",instance="n:9090"}': steady(0),
  'clanxp_secrets_undecryptable{instance="n:9090"}': steady(0),
  'clanxp_secrets_undecryptable{instance="o:9090"}': steady(0),
  'clanxp_collection_bytes{collection="ledger",instance="w:9090"}': steady(15 * 1024 ** 3),
  'clanxp_collection_bytes{collection="ledger",instance="x:9090"}': steady(15 * 1024 ** 3),
  'clanxp_nodejs_eventloop_lag_p99_seconds{job="clanxp-api",instance="a:9090"}': steady(0.03),
  'clanxp_process_resident_memory_bytes{job="clanxp-api",instance="a:9090"}': steady(160 * 1024 * 1024),
  'clanxp_clock_skew_seconds{job="clanxp-api",instance="a:9090"}': steady(-2),
};

/**
 * Differences from the quiet service that raise no alert either: a night in which half of a few requests fail, all are
 * slow, and no more awards arrive.
 */
export const harmless: Readonly<Record<string, string>> = {
  'clanxp_http_requests_total{route="award",method="POST",status="200"}': rising(1),
  'clanxp_http_requests_total{route="award",method="POST",status="503"}': rising(1),
  'clanxp_http_request_duration_seconds_bucket{process="api",route="apply-award",le="1"}': rising(0),
  'clanxp_http_request_duration_seconds_bucket{process="api",route="apply-award",le="2.5"}': rising(2),
  'clanxp_http_request_duration_seconds_bucket{process="api",route="apply-award",le="+Inf"}': rising(2),
  'clanxp_http_request_duration_seconds_count{process="api",route="apply-award"}': rising(2),
  'clanxp_awards_total{outcome="applied",instance="a:9090"}': stopping(2),
};

/** Each: how it differs from the idle service; null removes a series. */
export const cases: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  ClanxpApiDown: { 'up{job="clanxp-api",instance="a:9090"}': null },
  // The other processes export the workers' counters too, at rest.
  ClanxpWorkersDown: {
    'up{job="clanxp-worker",instance="w:9090"}': null,
    clanxp_recovery_scans_total: steady(90),
  },
  ClanxpNotifierDown: { 'up{job="clanxp-notifier",instance="n:9090"}': null },
  ClanxpProcessDown: { 'up{job="clanxp-worker",instance="v:9090"}': steady(0) },
  ClanxpErrors: { 'clanxp_http_requests_total{route="award",method="POST",status="503"}': rising(30) },
  ClanxpInternalErrors: { 'clanxp_problems_total{code="internal"}': rising(1) },
  ClanxpBusy: { 'clanxp_problems_total{code="busy"}': rising(2) },
  ClanxpSlowResponses: {
    'clanxp_http_request_duration_seconds_bucket{process="api",route="apply-award",le="1"}': rising(900),
  },
  ClanxpAwardsStopped: { 'clanxp_awards_total{outcome="applied",instance="a:9090"}': stopping(1_000) },
  ClanxpKeysRejected: { 'clanxp_problems_total{code="key_invalid"}': rising(300) },
  ClanxpRateLimited: { 'clanxp_rate_limited_total{limit="awards"}': rising(90) },
  ClanxpKeyExpires: {
    'clanxp_key_expires_timestamp_seconds{clan="pirates",key="k2",instance="w:9090"}': steady(2 * 86_400),
    'clanxp_key_expires_timestamp_seconds{clan="pirates",key="k2",instance="x:9090"}': steady(2 * 86_400),
  },
  ClanxpKeyBudgetNearlySpent: {
    'clanxp_key_budget_used_ratio{clan="pirates",key="k2",instance="w:9090"}': steady(0.95),
  },
  ClanxpMongoUnavailable: { 'clanxp_commits_total{result="unavailable"}': rising(1) },
  ClanxpOutcomesUnknown: { 'clanxp_commits_total{result="unknown"}': rising(1) },
  ClanxpSlowCommits: { 'clanxp_commit_duration_seconds_bucket{le="0.1"}': rising(900) },
  ClanxpConflicts: { 'clanxp_commits_total{result="conflict"}': rising(50) },
  ClanxpLocksSkipped: { clanxp_lock_skipped_total: rising(50) },
  ClanxpRedisUnavailable: { clanxp_queue_paused: null },
  ClanxpBatchesWait: { 'clanxp_batch_oldest_waiting_seconds{job="clanxp-worker"}': `3+15x${SAMPLES}` },
  ClanxpWorkersStuck: { clanxp_batches_completed_total: steady(700) },
  ClanxpWorkersBusy: { clanxp_worker_utilization_ratio: steady(0.97) },
  ClanxpQueuePaused: { clanxp_queue_paused: steady(1) },
  ClanxpBatchesLostTheirJobs: { clanxp_batches_requeued_total: rising(1) },
  ClanxpNoRecoveryScan: { clanxp_recovery_scans_total: steady(90) },
  ClanxpProjectionLag: { 'clanxp_projection_lag_seconds{job="clanxp-api",instance="a:9090"}': `1+5x${SAMPLES}` },
  ClanxpErasureLate: { 'clanxp_erasure_oldest_seconds{job="clanxp-worker"}': `8+30x${SAMPLES}` },
  ClanxpErasureRequestsHeld: { 'clanxp_erasure_requests_held{job="clanxp-worker"}': steady(3) },
  ClanxpEventsLate: {
    'clanxp_events_unnumbered_oldest_seconds{job="clanxp-worker",instance="w:9090"}': `1+30x${SAMPLES}`,
  },
  ClanxpDeliveriesLate: {
    'clanxp_delivery_behind_oldest_seconds{kind="webhook",instance="n:9090"}': `1+30x${SAMPLES}`,
  },
  ClanxpDestinationsFailing: { 'clanxp_destinations{kind="webhook",state="failing",instance="n:9090"}': steady(3) },
  ClanxpDestinationDisabled: { 'clanxp_destinations{kind="webhook",state="disabled",instance="n:9090"}': steady(1) },
  ClanxpSecretsKeyWrong: { 'clanxp_secrets_undecryptable{instance="o:9090"}': steady(1) },
  ClanxpDatabaseLarge: { 'clanxp_collection_bytes{collection="batches",instance="x:9090"}': steady(6 * 1024 ** 3) },
  ClanxpEventLoopLag: { 'clanxp_nodejs_eventloop_lag_p99_seconds{job="clanxp-api",instance="a:9090"}': steady(0.4) },
  ClanxpClockSkewed: { 'clanxp_clock_skew_seconds{job="clanxp-api",instance="a:9090"}': steady(-90) },
  ClanxpMemory: {
    'clanxp_process_resident_memory_bytes{job="clanxp-api",instance="a:9090"}': steady(600 * 1024 * 1024),
  },
};
