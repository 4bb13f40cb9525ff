// Makes one mistake of mutation-list.ts in the modules that a process imports, for mutations.ts: MUTATION names it.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { mutatedFiles } from "./mutated-files.ts";
import { MUTATIONS } from "./mutation-list.ts";

const root = join(import.meta.dirname, "../..");
const mutation = MUTATIONS.find(({ name }) => name === process.env["MUTATION"]);
const changed = mutation ? mutatedFiles(mutation, (file) => readFileSync(join(root, file), "utf8")) : new Map();

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const source = url.startsWith("file:") ? changed.get(relative(root, fileURLToPath(url))) : undefined;
    return source === undefined ? loaded : { ...loaded, source };
  },
});
