// What has a version: the service and each client package. For each: its folder, what the tags of its releases begin
// with, and every place that contains its version. All places of a package have the same version.

type Package = {
  /** Relative to the root. It contains the changelog of the package. */
  folder: string;
  tag: string;
  /** By file: the first group is unchanged, the second is the version. */
  places: Record<string, RegExp>;
};

export const packages = {
  service: {
    folder: "",
    tag: "v",
    places: {
      "package.json": /^( {2}"version": ")([^"]+)/gm,
      "package-lock.json": /("name": "clanxp",\n +"version": ")([^"]+)/g,
      Dockerfile: /^(ARG VERSION=)(\S+)/gm,
      "deploy/helm/clanxp/Chart.yaml": /^((?:version|appVersion): )(\S+)/gm,
      "docs/how-to/kubernetes.md": /(registry\.example\/clanxp:)(\d+\.\d+\.\d+)/g,
    },
  },
  luau: {
    folder: "clients/luau",
    tag: "luau-v",
    places: {
      "wally.toml": /^(version = ")([^"]+)/gm,
      "README.md": /(clanxp\/clanxp@)(\d+\.\d+\.\d+)/g,
    },
  },
  typescript: {
    folder: "clients/typescript",
    tag: "typescript-v",
    places: {
      "package.json": /^( {2}"version": ")([^"]+)/gm,
      "package-lock.json": /("name": "@clanxp\/client",\n +"version": ")([^"]+)/g,
    },
  },
} satisfies Record<string, Package>;

export type PackageName = keyof typeof packages;

export const packageNames = ["service", "luau", "typescript"] as const satisfies readonly PackageName[];

/** A file of a package, relative to the root. */
export function fileOf(name: PackageName, file: string): string {
  const { folder } = packages[name];
  return folder === "" ? file : `${folder}/${file}`;
}

type Read = (file: string) => string;

/** Every version in every place, with its file relative to the root. Throws if a file has none. */
export function versionsOf(name: PackageName, read: Read): { file: string; version: string }[] {
  return Object.entries(packages[name].places).flatMap(([own, place]) => {
    const file = fileOf(name, own);
    const found = [...read(file).matchAll(place)].map(([, , version = ""]) => ({ file, version }));
    if (found.length === 0) throw new Error(`${file} does not contain a version in the expected place.`);
    return found;
  });
}

/** The version of a package in its first manifest. */
export function versionOf(name: PackageName, read: Read): string {
  return versionsOf(name, read)[0]?.version ?? "";
}
