// What operators add to the chart: an Ingress, metadata, environment, volumes, probes, backups, the Grafana dashboard.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readPage } from "../support/docs-page.ts";
import { readDeployed } from "./alerts.ts";
import { render, renderNotes, type Rendered, type Values } from "./render-chart.ts";
import { toolOrNull } from "./tool.ts";
import { least, ROLES, useSets } from "./value-sets.ts";

const helm = await toolOrNull("helm");
const Shown = z.record(z.string(), z.unknown());

describe.skipIf(!helm)("the Helm chart for operators", { timeout: 120_000 }, () => {
  const { run, rendered, find, podOf, containerOf, envOf } = useSets(helm);

  test("creates an Ingress with TLS for each named host, and none without", () => {
    expect(rendered("least").map(({ kind }) => kind)).not.toContain("Ingress");
    const api = find("everything", "Ingress", "t-clanxp-api");
    expect(api.metadata.annotations).toMatchObject({ "cert-manager.io/cluster-issuer": "letsencrypt" });
    const routeTo = (name: string) => ({
      paths: [{ path: "/", pathType: "Prefix", backend: { service: { name, port: { name: "http" } } } }],
    });
    expect(api.spec).toStrictEqual({
      ingressClassName: "nginx",
      tls: [{ hosts: ["xp.example.com"], secretName: "xp-tls" }],
      rules: [{ host: "xp.example.com", http: routeTo("t-clanxp") }],
    });
    expect(find("everything", "Ingress", "t-clanxp-dashboard").spec).toStrictEqual({
      rules: [{ host: "clans.example.com", http: routeTo("t-clanxp-dashboard") }],
    });
  });

  test("routes each Ingress to a port that its Service has", () => {
    for (const role of ["api", "dashboard"]) {
      const [{ http }] = find("everything", "Ingress", `t-clanxp-${role}`).spec.rules;
      const { service } = http.paths[0].backend;
      const { spec } = find("everything", "Service", service.name);
      expect(spec.ports.map(({ name }: any) => name)).toContain(service.port.name);
      expect(spec.selector["app.kubernetes.io/component"]).toBe(role);
    }
  });

  test("takes the addresses of the API and the dashboard from their Ingress, or from the values", async () => {
    for (const role of ["dashboard", "notifier"])
      expect(envOf("everything", role).get("DASHBOARD_URL").value).toBe("https://clans.example.com");
    expect(envOf("everything", "dashboard").get("API_URL").value).toBe("https://xp.example.com");
    expect(envOf("least", "dashboard").get("DASHBOARD_URL").value).toBe("");
    const dashboard = { url: "https://clans.example.com:8443", apiUrl: "https://xp.example.org" };
    const ingress = { host: "clans.example.com", tlsSecret: "tls" };
    const text = await render(run, { ...least, dashboard: { ...dashboard, ingress } }, "1.37.0");
    expect(text).toMatch(/name: DASHBOARD_URL\n +value: https:\/\/clans\.example\.com:8443\n/);
    expect(text).toMatch(/name: API_URL\n +value: https:\/\/xp\.example\.org\n/);
  });

  test("adds labels to every object and pod and annotations to every object, those of a role before those of all", () => {
    const workers = rendered("everything").filter(
      ({ metadata }) => metadata.labels["app.kubernetes.io/component"] === "worker",
    );
    const teamOf = ({ metadata }: Rendered) => metadata.labels["team"];
    expect(workers.length).toBeGreaterThan(4);
    for (const object of rendered("everything")) {
      expect(teamOf(object)).toBe(
        workers.some(({ metadata }) => metadata.name === object.metadata.name) ? "ops" : "games",
      );
      expect(object.metadata.annotations?.["example.com/owner"]).toMatch(/^(games|edge)$/);
    }
    expect(find("everything", "Ingress", "t-clanxp-api").metadata.annotations?.["example.com/owner"]).toBe("edge");
    for (const role of ROLES) {
      expect(podOf("everything", role).metadata.annotations).toStrictEqual({ "sidecar.istio.io/inject": "true" });
      expect(podOf("everything", role).metadata.labels.team).toBe(role === "worker" ? "ops" : "games");
    }
    expect(podOf("least", "api").metadata.annotations).toBeUndefined();
    const { annotations } = find("everything", "ServiceAccount", "t-clanxp").metadata;
    expect(annotations).toMatchObject({ "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/clanxp" });
    const ofService = find("everything", "Service", "t-clanxp").metadata.annotations;
    expect(ofService).toMatchObject({ "example.com/internal": "true" });
  });

  test("adds environment, volumes and a priority to the pods of all roles, and more to those of one", () => {
    for (const role of ROLES) {
      const { volumes, priorityClassName } = podOf("everything", role).spec;
      const { volumeMounts, envFrom } = containerOf("everything", role);
      const added = role === "worker" ? ["certificates", "scratch"] : ["certificates"];
      for (const list of [volumes, volumeMounts])
        expect(list.map(({ name }: any) => name)).toStrictEqual(["tmp", "ca", ...added]);
      expect(envFrom).toStrictEqual([{ configMapRef: { name: "settings" } }]);
      expect(priorityClassName).toBe(role === "worker" ? "background" : "services");
      expect(envOf("everything", role).has("OTEL_EXPORTER_OTLP_ENDPOINT")).toBe(true);
      expect(envOf("everything", role).get("KEEP_ALIVE_S")?.value).toBe(role === "api" ? "620" : undefined);
      expect(podOf("least", role).spec.volumes.map(({ name }: any) => name)).toStrictEqual(["tmp"]);
    }
  });

  test("changes only the named times of probes, for all roles or for one", () => {
    const at = (path: string) => ({ httpGet: { path, port: "ops" } });
    const usual = {
      livenessProbe: { ...at("/livez"), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
      readinessProbe: { ...at("/readyz"), periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 },
      startupProbe: { ...at("/livez"), periodSeconds: 1, failureThreshold: 60 },
    };
    const patient = { ...usual, readinessProbe: { ...usual.readinessProbe, periodSeconds: 5 } };
    const slow = { ...patient, startupProbe: { ...usual.startupProbe, failureThreshold: 180 } };
    for (const role of ROLES) {
      expect(containerOf("least", role)).toMatchObject(usual);
      expect(containerOf("everything", role)).toMatchObject(role === "worker" ? slow : patient);
    }
  });

  test("ships the Grafana dashboard in a ConfigMap that the sidecar finds, if it is asked to", () => {
    const { metadata, data } = find("everything", "ConfigMap", "t-clanxp-grafana");
    expect(metadata.labels).toMatchObject({ grafana_dashboard: "1", team: "games" });
    expect(metadata.annotations).toMatchObject({ grafana_folder: "Games" });
    expect(data).toStrictEqual({ "clanxp.json": readDeployed("grafana/clanxp.json") });
    const kinds = rendered("least").map(({ kind }) => kind);
    for (const kind of ["ConfigMap", "ServiceMonitor", "PrometheusRule", "CronJob"]) expect(kinds).not.toContain(kind);
  });

  test("backs up MongoDB with its own user, without rights, and reaches nothing but the servers", () => {
    const { spec } = find("everything", "CronJob", "t-clanxp-backup");
    const pod = spec.jobTemplate.spec.template.spec;
    const [{ env, command, securityContext }] = pod.containers;
    expect(spec).toMatchObject({ schedule: "0 3 * * *", concurrencyPolicy: "Forbid" });
    expect(command).toStrictEqual(["bash", "-c", readDeployed("mongo/backup.sh")]);
    expect(env).toStrictEqual([
      { name: "BACKUP_DIR", value: "/backups" },
      { name: "BACKUPS_KEPT", value: "14" },
      { name: "MONGO_URL", valueFrom: { secretKeyRef: { name: "clanxp-servers", key: "MONGO_URL_BACKUP" } } },
    ]);
    expect(pod.volumes[0]).toStrictEqual({ name: "backups", persistentVolumeClaim: { claimName: "clanxp-backups" } });
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      restartPolicy: "Never",
      securityContext: { runAsNonRoot: true, fsGroup: 1000 },
      tolerations: [{ key: "games" }],
    });
    expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } });
    const policy = find("everything", "NetworkPolicy", "t-clanxp-backup").spec;
    expect(policy.ingress).toBeNull();
    expect(spec.jobTemplate.spec.template.metadata.labels).toMatchObject(policy.podSelector.matchLabels);
    expect(rendered("least").map(({ metadata }) => metadata.name)).not.toContain("t-clanxp-backup");
  });

  test("prints what comes next: addresses that exist, and what is not set up yet", async () => {
    const notesOf = (values: Values): Promise<string> => renderNotes(run, values);
    const first = await notesOf(least);
    expect(first).toContain("kubectl -n games port-forward svc/t-clanxp 8080:80\n");
    expect(first).toContain("kubectl -n games port-forward svc/t-clanxp-dashboard 8081:80\n");
    expect(first).toContain("exec deploy/t-clanxp-dashboard -- clanxp account invite you@example.com");
    expect(first).toMatch(/set backup\.schedule[^]*set monitoring\.enabled/);
    const ingress = (host: string) => ({ ingress: { host, tlsSecret: "tls" } });
    const complete = await notesOf({
      ...least,
      api: ingress("xp.example.com"),
      dashboard: ingress("clans.example.com"),
      backup: { schedule: "@daily", volume: { emptyDir: {} } },
      monitoring: { enabled: true },
    });
    expect(complete).toContain("Game servers call https://xp.example.com.\n");
    expect(complete).toContain("The dashboard is at https://clans.example.com.\n");
    expect(complete).not.toMatch(/port-forward|set backup|set monitoring/);
    expect(await notesOf({ ...least, dashboard: { enabled: false } })).not.toContain("dashboard --");
  });

  test("accepts the values that the guides show", async () => {
    const pages = ["docs/how-to/kubernetes.md", "docs/how-to/back-up-and-restore.md"];
    const blocks = pages.flatMap((page) =>
      [...readPage(page).matchAll(/```yaml\n(.+?)```/gs)].map(([, block = ""]) => Shown.parse(parse(block))),
    );
    // Beside the settings of a controller.
    const shown = blocks.filter((block) => !("data" in block));
    const names = ["api", "dashboard", "labels", "worker", "podSecurityContext", "backup", "backup"];
    expect(shown.flatMap((block) => Object.keys(block))).toStrictEqual(names);
    for (const values of shown) await expect(render(run, { ...least, ...values }, "1.37.0")).resolves.toBeTruthy();
  });

  test.each([
    ["an Ingress without TLS", { api: { ingress: { host: "xp.example.com" } } }, /api\.ingress\.tlsSecret: name the/],
    ["a host with a scheme", { api: { ingress: { host: "https://xp.example.com" } } }, /\/api\/ingress\/host/],
    [
      "an Ingress for a name that the dashboard rejects",
      { dashboard: { url: "https://a.example", ingress: { host: "b.example", tlsSecret: "tls" } } },
      /dashboard\.url: its host is not dashboard\.ingress\.host \(b\.example\)/,
    ],
    [
      "a label that selects pods",
      { labels: { "app.kubernetes.io/name": "x" } },
      /labels: the chart itself sets app\.kubernetes\.io\/name/,
    ],
    ["an annotation that is no text", { worker: { podAnnotations: { x: 1 } } }, /\/worker\/podAnnotations\/x/],
    ["an unknown time of a probe", { probes: { liveness: { period: 1 } } }, /probes\/liveness.*period/s],
    ["a probe that never waits", { api: { probes: { startup: { periodSeconds: 0 } } } }, /startup\/periodSeconds/],
    [
      "a volume with a name of the chart's",
      { extraVolumes: [{ name: "tmp", emptyDir: {} }] },
      /extraVolumes: the chart itself has a volume tmp/,
    ],
    [
      "a mount over a file of the chart's",
      { extraVolumeMounts: [{ name: "a", mountPath: "/tmp" }] },
      /extraVolumeMounts: the chart itself mounts \/tmp/,
    ],
    ["environment without a name", { extraEnv: [{ value: "x" }] }, /extraEnv\/0/],
    ["a backup without a volume", { backup: { schedule: "@daily" } }, /backup\.volume: name a volume/],
    ["a schedule that cron does not know", { backup: { schedule: "daily" } }, /\/backup\/schedule/],
    ["a backup that keeps nothing", { backup: { keep: 0 } }, /\/backup\/keep/],
    ["the place of the API's Service in 0.2.0", { service: { port: 80 } }, /service/],
    ["a misspelled value", { worker: { autoscale: true } }, /autoscale/],
    ["a grace period shorter than the shutdown", { terminationGracePeriodSeconds: 10 }, /terminationGraceP\w+|21/],
    ["an invalid key of a Secret", { api: { mongoUrlKey: "" } }, /mongoUrlKey/],
    ["an autoscaler that leaves no worker", { worker: { autoscaling: { minReplicas: 0 } } }, /minReplicas/],
    ["an unknown log level", { logLevel: "loud" }, /logLevel/],
    ["environment that is no text", { extraEnv: [{ name: "A", value: 1 }] }, /\/extraEnv\/0\/value/],
    ["another port", { api: { extraEnv: [{ name: "PORT", value: "1" }] } }, /the chart itself sets PORT/],
    ["a label that is too long", { monitoring: { labels: { a: "b".repeat(64) } } }, /\/monitoring\/labels\/a/],
  ])("refuses %s", async (_, values, reason) => {
    await expect(render(run, { ...least, ...values }, "1.37.0")).rejects.toThrow(reason);
  });
});
