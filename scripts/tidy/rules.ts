// Every rule under its name. A rule reads the tree and returns its findings, without side effects.

import { citations } from "./rules/citations.ts";
import { decisionNumbers } from "./rules/decision-numbers.ts";
import { decisionStatus } from "./rules/decision-status.ts";
import { disableReasons } from "./rules/disable-reasons.ts";
import { documentedErrors } from "./rules/documented-errors.ts";
import { endpointParts } from "./rules/endpoint-parts.ts";
import { firstLine } from "./rules/first-line.ts";
import { imports } from "./rules/imports.ts";
import { lineWidth } from "./rules/line-width.ts";
import { links } from "./rules/links.ts";
import { noBarrels } from "./rules/no-barrels.ts";
import { noInjection } from "./rules/no-injection.ts";
import { noMachineTraces } from "./rules/no-machine-traces.ts";
import { oneXpWriter } from "./rules/one-xp-writer.ts";
import { overviewLength } from "./rules/overview-length.ts";
import { rooms } from "./rules/rooms.ts";
import { words } from "./rules/words.ts";
import type { Rule } from "./read-tree.ts";

export const rules: Readonly<Record<string, Rule>> = {
  imports,
  rooms,
  "one-xp-writer": oneXpWriter,
  "no-injection": noInjection,
  "no-barrels": noBarrels,
  "line-width": lineWidth,
  "overview-length": overviewLength,
  "first-line": firstLine,
  "disable-reasons": disableReasons,
  "endpoint-parts": endpointParts,
  "documented-errors": documentedErrors,
  links,
  citations,
  words,
  "decision-numbers": decisionNumbers,
  "decision-status": decisionStatus,
  "no-machine-traces": noMachineTraces,
};
