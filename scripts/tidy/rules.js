// Every rule under its name. A rule reads the tree and answers what it found; it changes nothing and asks nobody.

import { citations } from "./rules/citations.js";
import { decisionNumbers } from "./rules/decision-numbers.js";
import { documentedErrors } from "./rules/documented-errors.js";
import { endpointParts } from "./rules/endpoint-parts.js";
import { envAtTheEdge } from "./rules/env-at-the-edge.js";
import { fileLength } from "./rules/file-length.js";
import { fileNames } from "./rules/file-names.js";
import { firstLine } from "./rules/first-line.js";
import { functionLength } from "./rules/function-length.js";
import { imports } from "./rules/imports.js";
import { lineWidth } from "./rules/line-width.js";
import { links } from "./rules/links.js";
import { namedExports } from "./rules/named-exports.js";
import { noBarrels } from "./rules/no-barrels.js";
import { noConsole } from "./rules/no-console.js";
import { noInjection } from "./rules/no-injection.js";
import { noMachineTraces } from "./rules/no-machine-traces.js";
import { oneXpWriter } from "./rules/one-xp-writer.js";
import { words } from "./rules/words.js";

/** @type {Readonly<Record<string, import("./read-tree.js").Rule>>} */
export const rules = {
  imports,
  "one-xp-writer": oneXpWriter,
  "env-at-the-edge": envAtTheEdge,
  "no-console": noConsole,
  "no-injection": noInjection,
  "no-barrels": noBarrels,
  "named-exports": namedExports,
  "file-names": fileNames,
  "file-length": fileLength,
  "function-length": functionLength,
  "line-width": lineWidth,
  "first-line": firstLine,
  "endpoint-parts": endpointParts,
  "documented-errors": documentedErrors,
  links,
  citations,
  words,
  "decision-numbers": decisionNumbers,
  "no-machine-traces": noMachineTraces,
};
