// What clusters differ in: the family of their addresses, who chooses users, how long names are. And values that YAML
// or Go would change on their way.
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { objectsIn, render, type Rendered, type Values } from "./render-chart.ts";
import { toolOrNull } from "./tool.ts";
import { least, ROLES, useSets } from "./value-sets.ts";

const helm = await toolOrNull("helm");
const ODD = "texts that YAML reads as something else, and large numbers";

describe.skipIf(!helm)("the Helm chart in any cluster", { timeout: 120_000 }, () => {
  const { run, texts, envOf } = useSets(helm);
  const objects = async (values: Values, release?: string): Promise<Rendered[]> =>
    objectsIn(await render(run, { ...least, ...values }, "1.37.0", release));
  const podsOf = (rendered: readonly Rendered[]): Map<string, any> =>
    new Map(
      rendered
        .filter(({ kind }) => kind === "Deployment" || kind === "CronJob")
        .map(({ spec, metadata }) => [
          metadata.labels["app.kubernetes.io/component"] ?? "",
          (spec.jobTemplate?.spec ?? spec).template.spec,
        ]),
    );

  test("probes and callers reach processes by IPv4 and IPv6", () => {
    for (const role of ROLES) expect(envOf("least", role).get("HOST").value).toBe("::");
  });

  test("sets each variable once: an operator's value before the chart's, a role's before that of all", async () => {
    const extraEnv = [
      { name: "HOST", value: "0.0.0.0" },
      { name: "NODE_OPTIONS", value: "--max-old-space-size=512" },
    ];
    const worker = { extraEnv: [{ name: "NODE_OPTIONS", value: "--max-old-space-size=400" }] };
    for (const [role, { containers }] of podsOf(await objects({ extraEnv, worker }))) {
      const names = containers[0].env.map(({ name }: any) => name);
      expect([role, names]).toStrictEqual([role, [...new Set(names)]]);
      expect(containers[0].env).toContainEqual(extraEnv[0]);
      expect(containers[0].env).toContainEqual(role === "worker" ? worker.extraEnv[0] : extraEnv[1]);
    }
  });

  test("leaves out what a security context sets to null, for all pods or for one, as OpenShift requires", async () => {
    const backup = { schedule: "@daily", volume: { emptyDir: {} }, podSecurityContext: { fsGroup: null } };
    const podSecurityContext = { runAsUser: null, runAsGroup: null };
    const chosen = podsOf(await objects({ podSecurityContext, dashboard: { enabled: false }, backup }));
    expect([...chosen.keys()].toSorted()).toStrictEqual(["api", "backup", "notifier", "worker"]);
    for (const { securityContext } of chosen.values())
      expect(securityContext).toStrictEqual({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });

    const api = { podSecurityContext: { runAsUser: null, fsGroup: 7 }, securityContext: { privileged: false } };
    const ofOne = podsOf(await objects({ api, securityContext: { readOnlyRootFilesystem: null } }));
    const usual = { runAsNonRoot: true, runAsGroup: 1000, seccompProfile: { type: "RuntimeDefault" } };
    const container = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
    for (const [role, { securityContext, containers }] of ofOne) {
      expect(securityContext).toStrictEqual({ ...usual, ...(role === "api" ? { fsGroup: 7 } : { runAsUser: 1000 }) });
      const expected = role === "api" ? { ...container, privileged: false } : container;
      expect(containers[0].securityContext).toStrictEqual(expected);
    }
  });

  test("keeps texts texts, and writes numbers in full", () => {
    const text = texts.get(ODD) ?? "";
    expect(text).not.toMatch(/\de[+-]\d/);
    const found: unknown[] = [];
    // The former version of YAML, by which Kubernetes reads.
    for (const document of parseAllDocuments(text, { version: "1.1" }))
      JSON.stringify(document.toJS(), (key, value) => {
        if (["secretName", "ingressClassName", "priorityClassName", "image", "host", "schedule"].includes(key))
          found.push(value);
        if (["configMap", "secretKeyRef"].includes(key)) found.push(...Object.values(value));
        if (key === "env") found.push(...value.map((one: any) => one.value).filter((one: any) => one !== undefined));
        return value;
      });
    expect(found.filter((value) => typeof value !== "string" && value !== true)).toStrictEqual([]);
    for (const odd of ["12345", "1e5", "null", "on", "yes", "0x1", "123", "1.0", "2", "0.00001", "1.50", "3000000"])
      expect(found).toContain(odd);
  });

  test.each([
    ["the longest name of a release", "a".repeat(53)],
    ["a longest name that says clanxp", `clanxp${"-".repeat(46)}b`],
    ["a name that is a number", "12345"],
    ["a name with dots", "xp.games"],
  ])("names objects so that Kubernetes accepts them, and refers to those: %s", async (_, release) => {
    const host = (name: string) => ({ host: `${name}.example.com`, tlsSecret: "tls" });
    const ofRoles = { api: { ingress: host("xp") }, dashboard: { ingress: host("clans") } };
    const backup = { schedule: "@daily", volume: { emptyDir: {} } };
    const options = { worker: { autoscaling: { enabled: true } }, backup, monitoring: { enabled: true } };
    const rendered = await objects({ ...ofRoles, ...options }, release);
    for (const { kind, metadata } of rendered) {
      expect([kind, metadata.name]).toStrictEqual([kind, expect.stringMatching(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)]);
      expect(metadata.name.length).toBeLessThanOrEqual(kind === "CronJob" ? 52 : 63);
      for (const value of Object.values(metadata.labels)) expect(value).toMatch(/^[\w.-]{1,63}$/);
    }
    const names = rendered.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { kind, spec } of rendered) {
      const { service } = spec?.rules?.[0]?.http?.paths[0].backend ?? {};
      if (service) expect(names).toContain(`Service ${service.name}`);
      if (["HorizontalPodAutoscaler", "ScaledObject"].includes(kind))
        expect(names).toContain(`Deployment ${spec.scaleTargetRef.name}`);
    }
    for (const { serviceAccountName } of podsOf(rendered).values())
      expect(names).toContain(`ServiceAccount ${serviceAccountName}`);
  });

  test("does not give two releases the same names", async () => {
    const [one, two] = await Promise.all(["x", "y"].map((end) => objects({}, `${"a".repeat(52)}${end}`)));
    const namesOf = (rendered: readonly Rendered[] = []) => new Set(rendered.map(({ metadata }) => metadata.name));
    expect(namesOf(one).isDisjointFrom(namesOf(two))).toBe(true);
  });
});
