// The sets of values with which the chart is rendered, and the objects that result.
import { beforeAll } from "vitest";
import { objectsIn, render, type Rendered, type Values } from "./render-chart.ts";
import type { RunTool } from "./tool.ts";

export const ROLES = ["api", "worker", "notifier", "dashboard"] as const;

/** The variable of a container that comes from a key of the Secret. */
export const fromSecret = (name: string, key = name) => ({
  name,
  valueFrom: { secretKeyRef: { name: "clanxp-servers", key } },
});

/** The one value without a default. */
export const least: Values = { existingSecret: "clanxp-servers" };
export const sets: Readonly<Record<string, Values>> = {
  least,
  everything: {
    ...least,
    image: { repository: "registry.example/clanxp", tag: "1.2.3", digest: `sha256:${"a1".repeat(32)}` },
    imagePullSecrets: [{ name: "pull" }],
    caConfigMap: "ca",
    batchRetentionDays: "none",
    reversalRetentionDays: 30,
    eventRetentionDays: 7.5,
    boardRetentionDays: 60,
    deliveryRetentionDays: 14,
    webhookAllowPrivate: "10.1.0.0/16",
    labels: { team: "games" },
    annotations: { "example.com/owner": "games" },
    podAnnotations: { "sidecar.istio.io/inject": "true" },
    envFrom: [{ configMapRef: { name: "settings" } }],
    extraVolumes: [{ name: "certificates", secret: { secretName: "certificates" } }],
    extraVolumeMounts: [{ name: "certificates", mountPath: "/etc/certificates", readOnly: true }],
    priorityClassName: "services",
    probes: { readiness: { periodSeconds: 5 } },
    serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/clanxp" } },
    extraEnv: [{ name: "OTEL_EXPORTER_OTLP_ENDPOINT", value: "http://collector:4318" }],
    api: {
      mongoUrlKey: "MONGO_URL_API",
      service: { type: "LoadBalancer", port: 8080, annotations: { "example.com/internal": "true" } },
      ingress: {
        host: "xp.example.com",
        className: "nginx",
        tlsSecret: "xp-tls",
        annotations: { "cert-manager.io/cluster-issuer": "letsencrypt", "example.com/owner": "edge" },
      },
      extraEnv: [{ name: "KEEP_ALIVE_S", value: "620" }],
      nodeSelector: { disk: "fast" },
      tolerations: [{ key: "games", operator: "Exists" }],
      affinity: { nodeAffinity: {} },
    },
    worker: {
      autoscaling: { enabled: true, minReplicas: 1 },
      labels: { team: "ops", tier: "background" },
      priorityClassName: "background",
      probes: { startup: { failureThreshold: 180 } },
      extraVolumes: [{ name: "scratch", emptyDir: {} }],
      extraVolumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
    },
    notifier: { mongoUrlKey: "MONGO_URL_NOTIFIER", replicas: 3 },
    dashboard: {
      mongoUrlKey: "MONGO_URL_API",
      ingress: { host: "clans.example.com", tlsSecret: "none" },
      oidc: { issuer: "https://apis.roblox.com/oauth/", clientId: "840974", name: "Roblox", scopes: "openid" },
    },
    backup: {
      schedule: "0 3 * * *",
      keep: 14,
      volume: { persistentVolumeClaim: { claimName: "clanxp-backups" } },
      tolerations: [{ key: "games", operator: "Exists" }],
    },
    monitoring: {
      enabled: true,
      labels: { release: "prometheus" },
      runbookBase: "https://git.example/clanxp/",
      grafana: { enabled: true, annotations: { grafana_folder: "Games" } },
    },
    networkPolicy: {
      apiFrom: [{ namespaceSelector: { matchLabels: { name: "games" } } }],
      opsFrom: [{ namespaceSelector: {} }],
      sentinelPort: 26_379,
      extraEgress: [{ ports: [{ port: 4318 }] }],
    },
  },
  "texts that YAML reads as something else, and large numbers": {
    existingSecret: "12345",
    caConfigMap: "1e5",
    priorityClassName: "null",
    extraEnv: [{ name: "ON", value: "on" }],
    api: { mongoUrlKey: "0x1", ingress: { host: "123", className: "on", tlsSecret: "yes" } },
    dashboard: { oidc: { issuer: "https://id.example.com", clientId: "1.50" } },
    worker: { replicas: 1_000_000, autoscaling: { enabled: true, awardsPerWorker: 2_000_000 } },
    terminationGracePeriodSeconds: 1_000_000,
    eventRetentionDays: 0.000_01,
    backup: { schedule: "@daily", image: "1.0", mongoUrlKey: "2", volume: { emptyDir: {} }, keep: 3_000_000 },
    podSecurityContext: { runAsUser: 1_000_660_000 },
  },
  "no autoscaling, no policy": {
    ...least,
    api: { autoscaling: { enabled: false }, replicas: 3 },
    networkPolicy: { enabled: false },
  },
};

/** For a describe block, which is skipped without helm. */
export function useSets(helm: RunTool | null) {
  const run: RunTool = (...args) => (helm ?? (() => Promise.resolve("")))(...args);
  const texts = new Map<string, string>();
  const objects = new Map<string, Rendered[]>();
  const rendered = (set: string): Rendered[] => objects.get(set) ?? [];
  function find(set: string, kind: string, name: string): Rendered {
    const found = rendered(set).find((object) => object.kind === kind && object.metadata.name === name);
    if (!found) throw new Error(`${set} renders no ${kind} ${name}`);
    return found;
  }
  const podOf = (set: string, role: string): any => find(set, "Deployment", `t-clanxp-${role}`).spec.template;
  const containerOf = (set: string, role: string): any => podOf(set, role).spec.containers[0];
  /** The environment, by the names of its variables. */
  const envOf = (set: string, role: string): Map<string, any> =>
    new Map(containerOf(set, role).env.map((variable: any) => [variable.name, variable]));
  beforeAll(async () => {
    for (const [name, values] of Object.entries(sets)) {
      const text = await render(run, values, "1.37.0");
      texts.set(name, text);
      objects.set(name, objectsIn(text));
    }
  });
  return { run, texts, rendered, find, podOf, containerOf, envOf };
}
