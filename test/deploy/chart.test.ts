// The Helm chart: what it renders, under several sets of values, is what Kubernetes, KEDA and the Prometheus operator
// take.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { BATCHES_AT_ONCE } from "#queue/bounds.ts";
import { ERASURES_AT_ONCE } from "#erasure/bounds.ts";
import { kubernetesVersions } from "../../scripts/tools/list.ts";
import { readDeployed } from "./alerts.ts";
import { unknownNames } from "./exported-metrics.ts";
import { chart, render, schemaFolder, valuesFile } from "./render-chart.ts";
import { schemasOrNull, toolOrNull } from "./tool.ts";
import { fromSecret, ROLES, sets, useSets } from "./value-sets.ts";

const helm = await toolOrNull("helm");
const kubeconform = await toolOrNull("kubeconform");
const schemas = await schemasOrNull();

describe.skipIf(!helm)("the Helm chart", { timeout: 120_000 }, () => {
  const { run, texts, rendered, find: findObject, podOf, containerOf, envOf } = useSets(helm);
  const find = (...place: Parameters<typeof findObject>): any => findObject(...place).spec;

  test.each(Object.keys(sets))("with %s passes helm lint", async (name) => {
    expect(await run("lint", chart, "--strict", "--values", valuesFile(sets[name] ?? {}))).toContain(
      "0 chart(s) failed",
    );
  });

  describe.skipIf(!kubeconform || !schemas)("validated against schemas,", () => {
    async function conform(version: string, text: string): Promise<string | undefined> {
      const location = `${schemaFolder(schemas ?? "", version)}/{{.ResourceKind}}{{.KindSuffix}}.json`;
      const file = join(mkdtempSync(join(tmpdir(), "clanxp-rendered-")), "all.yaml");
      writeFileSync(file, text);
      return kubeconform?.("-strict", "-summary", "-schema-location", location, file);
    }

    test.each(kubernetesVersions)("has only valid objects for Kubernetes %s", async (version) => {
      const all = await Promise.all(Object.values(sets).map((values) => render(run, values, version)));
      expect(await conform(version, all.join("\n"))).toContain("Invalid: 0, Errors: 0, Skipped: 0");
    });

    test.each([
      ["Deployment", "readOnlyRootFilesystem:", "readOnlyRootFileSystem:"],
      ["ScaledObject", "maxReplicaCount:", "maxReplicas:"],
      ["ServiceMonitor", "relabelings:", "relabeling:"],
      ["Ingress", "ingressClassName:", "ingressClass:"],
      ["CronJob", "concurrencyPolicy:", "concurrency:"],
    ])("is rejected for an unknown field of a %s", async (kind, field, misspelt) => {
      const text = texts.get("everything")?.replaceAll(field, misspelt) ?? "";
      await expect(conform("1.37.0", text)).rejects.toThrow(new RegExp(`${kind} .* is invalid`));
    });
  });

  test("passes the retention of batches, reversals, events and boards to workers", () => {
    const daysOf = (set: string) =>
      ["BATCH", "REVERSAL", "EVENT", "BOARD"].map((of) => envOf(set, "worker").get(`${of}_RETENTION_DAYS`).value);
    expect(daysOf("least")).toStrictEqual(["90", "90", "30", "90"]);
    expect(daysOf("everything")).toStrictEqual(["none", "30", "7.5", "60"]);
  });

  test("sets no number of processes in a Deployment with an autoscaler", () => {
    expect(find("everything", "Deployment", "t-clanxp-api").replicas).toBeUndefined();
    expect(find("everything", "Deployment", "t-clanxp-worker").replicas).toBeUndefined();
    expect(find("least", "Deployment", "t-clanxp-worker").replicas).toBe(2);
    expect(find("no autoscaling, no policy", "Deployment", "t-clanxp-api").replicas).toBe(3);
    expect(rendered("no autoscaling, no policy").map(({ kind }) => kind)).not.toContain("HorizontalPodAutoscaler");
  });

  test("scales workers by the exported metrics of the release's own namespace", () => {
    const { triggers, scaleTargetRef } = find("everything", "ScaledObject", "t-clanxp-worker");
    expect(scaleTargetRef.name).toBe("t-clanxp-worker");
    const queries = triggers.map(({ metadata }: any) => metadata.query.replace('{namespace="games"}', ""));
    expect(queries).toStrictEqual([
      "max(clanxp_batch_oldest_waiting_seconds)",
      "max(clanxp_batch_awards_waiting)",
      "max(clanxp_reversals_unfinished)",
      "max(clanxp_erasures_unfinished)",
    ]);
    expect(queries.flatMap(unknownNames)).toStrictEqual([]);
    const thresholds = triggers.map(({ metadata }: any) => Number(metadata.threshold));
    expect(thresholds.slice(2)).toStrictEqual([BATCHES_AT_ONCE, ERASURES_AT_ONCE]);
    // Otherwise a missing value would count as 0, and a failure of Redis would remove workers.
    for (const { metadata } of triggers) expect(metadata.ignoreNullValues).toBe("false");
  });

  test("renders no password, because server URLs come from the named Secret", async () => {
    for (const role of ROLES) {
      for (const name of ["MONGO_URL", "REDIS_URL"])
        expect(envOf("least", role).get(name)).toStrictEqual(fromSecret(name));
    }
    expect(rendered("everything").map(({ kind }) => kind)).not.toContain("Secret");
    await expect(render(run, {}, "1.37.0")).rejects.toThrow(
      "existingSecret: name a Secret with MONGO_URL and REDIS_URL",
    );
  });

  test("can give API, dashboard and notifier other database users than workers, by separate keys of the Secret", () => {
    for (const [role, key] of [
      ["api", "MONGO_URL_API"],
      ["dashboard", "MONGO_URL_API"],
      ["worker", "MONGO_URL"],
      ["notifier", "MONGO_URL_NOTIFIER"],
    ] as const)
      expect(envOf("everything", role).get("MONGO_URL")).toStrictEqual(fromSecret("MONGO_URL", key));
  });

  test("configures an identity provider only if it is named, with its secret from the Secret and HTTPS egress", () => {
    const ofOidc = (set: string, role: string) =>
      [...envOf(set, role).values()].filter(({ name }) => name.startsWith("DASHBOARD_OIDC_"));
    const issuer = { name: "DASHBOARD_OIDC_ISSUER", value: "https://apis.roblox.com/oauth/" };
    for (const variable of [fromSecret("DASHBOARD_OIDC_CLIENT_SECRET"), issuer])
      expect(ofOidc("everything", "dashboard")).toContainEqual(variable);
    expect([ofOidc("everything", "api"), ofOidc("least", "dashboard")]).toEqual([[], []]);
    const https = { ports: [{ port: 443, protocol: "TCP" }] };
    expect(find("everything", "NetworkPolicy", "t-clanxp-dashboard").egress).toContainEqual(https);
    expect(find("everything", "NetworkPolicy", "t-clanxp-api").egress).not.toContainEqual(https);
    expect(find("least", "NetworkPolicy", "t-clanxp-dashboard").egress).not.toContainEqual(https);
  });

  test("gives the key of secrets, from the Secret, to those that seal secrets or open them", () => {
    for (const role of ROLES) {
      const [key, allowed] = ["SECRETS_KEY", "WEBHOOK_ALLOW_PRIVATE"].map((name) =>
        envOf("everything", role).get(name),
      );
      const given = [key?.valueFrom.secretKeyRef, allowed?.value];
      const secret = { name: "clanxp-servers", key: "SECRETS_KEY", optional: true };
      expect([role, given]).toStrictEqual([role, role === "api" ? [undefined, undefined] : [secret, "10.1.0.0/16"]]);
    }
  });

  test("gives the key of erasure hooks, from the Secret, to the API", () => {
    const keys = ROLES.map((role) => envOf("everything", role).get("HOOK_KEY")?.valueFrom.secretKeyRef);
    const secret = { name: "clanxp-servers", key: "HOOK_KEY", optional: true };
    expect(keys).toStrictEqual(ROLES.map((role) => (role === "api" ? secret : undefined)));
  });

  test("lets notifiers alone reach the internet, and none of a network's own addresses", () => {
    const { egress } = find("least", "NetworkPolicy", "t-clanxp-notifier");
    const [outside] = egress.filter(({ to }: any) => to !== undefined);
    expect(outside.ports).toStrictEqual([
      { port: 443, protocol: "TCP" },
      { port: 1024, endPort: 65_535, protocol: "TCP" },
    ]);
    const [v4, v6, translated] = outside.to.map(({ ipBlock }: any) => ipBlock);
    expect(v4.cidr).toBe("0.0.0.0/0");
    for (const block of ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"])
      expect(v4.except).toContain(block);
    expect(v6).toStrictEqual({ cidr: "2000::/3" });
    // The same addresses, as a pod without IPv4 reaches them.
    expect(translated).toStrictEqual({ cidr: throughNat64(v4.cidr), except: v4.except.map(throughNat64) });
    for (const role of ["api", "worker", "dashboard"]) {
      const rules = find("least", "NetworkPolicy", `t-clanxp-${role}`).egress;
      expect([role, rules.flatMap(({ ports }: any) => ports.map(({ port }: any) => port))]).toStrictEqual([
        role,
        [53, 53, 27_017, 6379],
      ]);
    }
  });

  test.each([
    ["least", [27_017, 6379]],
    ["everything", [27_017, 6379, 26_379]],
  ])("lets processes reach the ports of MongoDB, Redis and Sentinels: %s", (values, ports) => {
    const allowed = ports.map((port) => ({ port, protocol: "TCP" }));
    expect(find(values, "NetworkPolicy", "t-clanxp-worker").egress).toContainEqual({ ports: allowed });
  });

  test("runs processes without root, writable files, tokens and capabilities", () => {
    for (const role of ROLES) {
      expect(podOf("least", role).spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(containerOf("least", role).securityContext).toStrictEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  test("sets a grace period that is longer than a shutdown", () => {
    const waitsFirst = Number(containerOf("least", "api").lifecycle.preStop.exec.command[1]);
    expect(podOf("least", "api").spec.terminationGracePeriodSeconds).toBeGreaterThan(waitsFirst + 15);
  });

  test("selects only pods of their role for services, budgets and policies", () => {
    for (const role of ROLES) {
      const { labels } = podOf("everything", role).metadata;
      const selectors = [
        find("everything", "Service", `t-clanxp-${role}-ops`).selector,
        find("everything", "PodDisruptionBudget", `t-clanxp-${role}`).selector.matchLabels,
        find("everything", "NetworkPolicy", `t-clanxp-${role}`).podSelector.matchLabels,
      ];
      for (const selector of selectors) {
        expect(labels).toMatchObject(selector);
        expect(selector["app.kubernetes.io/component"]).toBe(role);
      }
    }
  });

  test("sets the job names that the alerts use, and links the alerts to the runbook", () => {
    for (const role of ROLES) {
      expect(find("everything", "ServiceMonitor", `t-clanxp-${role}`).endpoints[0].relabelings).toStrictEqual([
        { action: "replace", targetLabel: "job", replacement: `clanxp-${role}` },
      ]);
    }
    const [own, linked] = ["runbook_url: docs/", "runbook_url: https://git.example/clanxp/docs/"];
    const shipped = readDeployed("prometheus/alerts.yml").replaceAll(own, linked);
    expect(find("everything", "PrometheusRule", "t-clanxp")).toStrictEqual(parse(shipped));
  });
});

/** RFC 6052. */
function throughNat64(block: string): string {
  const [address = "", bits = ""] = block.split("/");
  const { hostname } = new URL(`http://[64:ff9b::${address}]`);
  return `${hostname.slice(1, -1)}/${96 + Number(bits)}`;
}
