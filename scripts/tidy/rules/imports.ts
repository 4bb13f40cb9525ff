// The imports that each part may use, including third-party packages. Imports between parts begin with "#part/" and
// name the file.

import { posix } from "node:path";
import { lineAt, sourcesIn, type File, type Finding, type Tree } from "../read-tree.ts";

/** Each has its use cases, and its documents and queries in `store`. */
const CAPABILITIES = [
  "accounts",
  "activity",
  "audit",
  "awards",
  "batches",
  "boards",
  "boosts",
  "clans",
  "delivery",
  "erasure",
  "events",
  "gains",
  "hooks",
  "keys",
  "members",
  "names",
  "operations",
  "public-pages",
  "ranks",
  "resets",
  "reversals",
];
const RULES = CAPABILITIES.map((name) => `#${name}/`);
/** The store of whichever part. No other name includes a store, unless it is the whole name of its folder. */
const STORES = "#*/store/";
const BASE = ["#kernel/", "#domain/", "#async/"];
const LIBS = [
  ...BASE,
  ...RULES,
  STORES,
  "#ledger/",
  "#contract/",
  "#export/",
  "#import/",
  "#http/",
  "#mongo/",
  "#redis/",
  "#lock/",
  "#queue/",
  "#rate-limit/",
  "#process/",
  "#telemetry/",
];
/** What adapters implement: interfaces that others declare. */
const PORTS = [...RULES, "#ledger/ports.ts", "#kernel/", "#telemetry/meter.ts"];
/** What composition roots share, which nothing else may import. */
const SHARED = [...LIBS, "#composition/"];

type May = { may: string[]; types?: string[] };
const CAPABILITY: May = { may: [...BASE, ...RULES, "#ledger/"], types: ["#telemetry/meter.ts"] };
const STORE: May = { may: [...BASE, "#mongo/", STORES, "mongodb"], types: PORTS };

/**
 * What each part may import besides itself; what ends in "/" or ":" matches everything that begins so. `types`: only
 * as types. A part of a part is listed before it.
 */
const parts: Record<string, May> = {
  "libs/kernel": { may: [] },
  "libs/domain": { may: ["#kernel/"] },
  "libs/async": { may: ["#kernel/"] },
  "libs/contract": { may: ["#kernel/", "#domain/", "zod", "zod-openapi", "node:crypto"] },
  "libs/mongo": { may: [...BASE, "mongodb", "node:module"], types: ["#operations/ports.ts"] },
  "libs/ledger/store": STORE,
  "libs/ledger": { may: BASE },
  "libs/accounts/credentials": {
    may: ["#kernel/", "#async/", "@simplewebauthn/server", "openid-client", "node:"],
    types: [...PORTS, "#domain/", "#process/config.ts"],
  },
  "libs/delivery/couriers": { may: [...BASE, "#contract/", "node:"], types: PORTS },
  ...Object.fromEntries(CAPABILITIES.map((name) => [`libs/${name}/store`, STORE])),
  ...Object.fromEntries(CAPABILITIES.map((name) => [`libs/${name}`, CAPABILITY])),
  "libs/export": { may: ["#kernel/", "#domain/", "#contract/", "csv-stringify/"], types: PORTS },
  "libs/import": {
    may: [
      "#kernel/",
      "#domain/",
      "#contract/",
      "#export/column-name.ts",
      "#export/escape-formula.ts",
      "csv-parse",
      "node:",
    ],
    types: PORTS,
  },
  "libs/http": { may: ["#kernel/", "#domain/", "#contract/", "express", "node:"], types: PORTS },
  "libs/redis": { may: ["#async/", "#mongo/mongo-url.ts", "#mongo/server-url.ts", "ioredis"], types: PORTS },
  "libs/lock": { may: ["#async/", "#redis/", "ioredis", "node:"], types: [...PORTS, "#domain/"] },
  "libs/queue": { may: ["#async/", "#redis/", "#contract/", "bullmq", "ioredis"], types: PORTS },
  "libs/rate-limit": { may: [...BASE, "#redis/", "ioredis"], types: PORTS },
  "libs/process": {
    may: [
      "#kernel/",
      "#domain/batch-id.ts",
      "#domain/reversal-id.ts",
      "#async/",
      "#redis/parse-url.ts",
      "#mongo/mongo-url.ts",
      "zod",
      "pino",
      "pino-pretty",
      "prom-client",
      "node:",
    ],
    types: [...PORTS, "#domain/"],
  },
  "libs/telemetry": {
    may: ["#kernel/", "#async/", "#process/", "prom-client", "@opentelemetry/", "bullmq-otel", "node:"],
    types: [...PORTS, "#domain/"],
  },
  "libs/composition": { may: LIBS, types: ["ioredis"] },
  "apps/api": { may: [...SHARED, "express", "marked", "node:"], types: ["zod"] },
  // In the browser: nothing of a server's.
  "apps/dashboard/web": {
    may: [
      "#domain/",
      "#contract/",
      "@base-ui/react/",
      "@clanxp/client",
      "@simplewebauthn/browser",
      "@tanstack/react-query",
      "lucide-react",
      "react",
      "react-dom/",
      "react-hook-form",
      "react-router",
      "react-router/",
      "uplot",
      "uplot/",
      "zod",
    ],
  },
  "apps/dashboard": { may: [...SHARED, "express", "node:"], types: ["zod"] },
  "apps/worker": { may: [...SHARED, "node:"] },
  "apps/notifier": { may: [...LIBS, "#composition/open-database.ts"] },
  "apps/cli": {
    may: [
      ...LIBS,
      "#composition/clan-stores.ts",
      "#composition/people-stores.ts",
      "#composition/open-boards.ts",
      "#composition/open-gains.ts",
      "#composition/open-database.ts",
      "commander",
      "cli-progress",
      "fastest-levenshtein",
      "node:",
    ],
    types: ["ioredis"],
  },
  scripts: {
    may: [
      "node:",
      "mongodb",
      "mongodb-memory-server-core/",
      "vite",
      "@vitejs/plugin-react",
      "@tailwindcss/vite",
      "#contract/dashboard/endpoints.ts",
      "#export/roblox-model.ts",
      "#process/config.ts",
      "#process/garbage-collection.ts",
      "#process/listening-url.ts",
      "#process/noted-settings.ts",
      "#process/server-urls.ts",
    ],
    types: ["vitest/node"],
  },
};

/** Plain JavaScript in scripts/ runs before Node 24 and the packages are installed. */
const BOOTSTRAP = /^scripts\/.*\.js$/;

const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:([^;"']*?)\s*from\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

export function imports(tree: Tree): Finding[] {
  return sourcesIn(tree, ["libs", "apps", "scripts"]).flatMap((file) => {
    const part = Object.keys(parts).find((name) => file.path.startsWith(`${name}/`));
    if (!part)
      return [
        { rule: "imports", file: file.path, message: "belongs to no part that scripts/tidy/rules/imports.ts knows" },
      ];
    const code = file.code.join("\n");
    return [...code.matchAll(IMPORT)].flatMap((match) => {
      const [, typeWord, names = "", target = match[4] ?? ""] = match;
      const onlyTypes = typeWord !== undefined || /^\{(?:\s*type [^,]+,?)+\s*\}$/.test(names);
      const message = faultOf({ tree, file, part, target, onlyTypes });
      return message ? [{ rule: "imports", file: file.path, line: lineAt(code, match.index ?? 0), message }] : [];
    });
  });
}

function faultOf({
  tree,
  file,
  part,
  target,
  onlyTypes,
}: {
  tree: Tree;
  file: File;
  part: string;
  target: string;
  onlyTypes: boolean;
}): string | undefined {
  if (target.startsWith(".")) {
    const path = posix.join(posix.dirname(file.path), target);
    if (!path.startsWith(`${part}/`)) return `${part} does not reach into ${path}`;
    return BOOTSTRAP.test(file.path) && !BOOTSTRAP.test(path)
      ? `runs before Node 24 is installed, which ${path} needs`
      : undefined;
  }
  if (target.startsWith("#") && !tree.has(target.replace("#", "libs/"))) return `${target} names no file`;

  const { may, types = [] } = BOOTSTRAP.test(file.path) ? { may: ["node:"] } : (parts[part] ?? { may: [] });
  const own = part.startsWith("libs/") ? [part.replace("libs/", "#") + "/"] : [];
  const allowed = [...own, ...may, ...(onlyTypes ? types : [])];
  if (allowed.some((name) => covers(name, target))) return undefined;
  return `${part} may not import ${target}${types.some((name) => covers(name, target)) ? ", but its types" : ""}`;
}

function covers(name: string, target: string): boolean {
  const store = /^#[^/]+\/store\//.exec(target)?.[0];
  if (store !== undefined) return name === STORES || name === store;
  return /[/:]$/.test(name) ? target.startsWith(name) : target === name;
}
