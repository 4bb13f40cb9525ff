// The imports that each part may use, including third-party packages. Imports between parts begin with "#part/" and
// name the file.

import { posix } from "node:path";
import { lineAt, sourcesIn, type File, type Finding, type Tree } from "../read-tree.ts";

const LIBS = [
  "#domain/",
  "#contract/",
  "#async/",
  "#ledger/",
  "#usecases/",
  "#export/",
  "#import/",
  "#http/",
  "#store/",
  "#redis/",
  "#lock/",
  "#queue/",
  "#rate-limit/",
  "#outbound/",
  "#runtime/",
];
/** What adapters implement: interfaces that others declare. */
const PORTS = ["#usecases/", "#ledger/ports.ts", "#runtime/ports.ts"];
/** What composition roots share, which nothing else may import. */
const SHARED = [...LIBS, "#composition/"];

/**
 * What each part may import besides itself; what ends in "/" or ":" matches everything that begins so. `types`: only
 * as types.
 */
const parts: Record<string, { may: string[]; types?: string[] }> = {
  "libs/domain": { may: [] },
  "libs/contract": { may: ["#domain/", "zod", "zod-openapi", "node:crypto"] },
  "libs/async": { may: ["#domain/app-error.ts"] },
  "libs/ledger": { may: ["#domain/", "#async/"], types: ["#runtime/ports.ts"] },
  "libs/usecases": { may: ["#domain/", "#async/", "#ledger/"], types: ["#runtime/ports.ts"] },
  "libs/export": { may: ["#domain/", "#contract/", "csv-stringify/"], types: PORTS },
  "libs/import": {
    may: ["#domain/", "#contract/", "#export/column-name.ts", "#export/escape-formula.ts", "csv-parse", "node:"],
    types: PORTS,
  },
  "libs/http": { may: ["#domain/", "#contract/", "express", "node:"], types: PORTS },
  "libs/store": { may: ["#domain/", "#async/", "mongoose", "node:module"], types: PORTS },
  "libs/redis": { may: ["#async/", "#store/mongo-url.ts", "#store/server-url.ts", "ioredis"], types: PORTS },
  "libs/lock": { may: ["#async/", "#redis/", "ioredis", "node:"], types: [...PORTS, "#domain/"] },
  "libs/queue": { may: ["#async/", "#redis/", "#contract/", "bullmq", "ioredis"], types: PORTS },
  "libs/rate-limit": {
    may: ["#async/", "#domain/", "#redis/", "ioredis"],
    types: PORTS,
  },
  "libs/outbound": { may: ["#domain/", "#contract/", "#async/", "node:"], types: PORTS },
  "libs/runtime": {
    may: [
      "#domain/app-error.ts",
      "#domain/batch-id.ts",
      "#domain/reversal-id.ts",
      "#async/",
      "#redis/parse-url.ts",
      "#store/mongo-url.ts",
      "zod",
      "pino",
      "pino-pretty",
      "prom-client",
      "@opentelemetry/",
      "bullmq-otel",
      "@simplewebauthn/server",
      "openid-client",
      "node:",
    ],
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
      "mongoose",
      "mongodb-memory-server-core/",
      "vite",
      "@vitejs/plugin-react",
      "@tailwindcss/vite",
      "#contract/dashboard/endpoints.ts",
      "#export/roblox-model.ts",
      "#runtime/process/config.ts",
      "#runtime/process/garbage-collection.ts",
      "#runtime/process/listening-url.ts",
      "#runtime/process/noted-settings.ts",
      "#runtime/process/server-urls.ts",
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
  if (allowed.some((name) => (/[/:]$/.test(name) ? target.startsWith(name) : target === name))) return undefined;
  return `${part} may not import ${target}${types.some((name) => target.startsWith(name)) ? ", but its types" : ""}`;
}
