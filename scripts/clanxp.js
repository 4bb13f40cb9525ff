#!/usr/bin/env node
// `npx clanxp`: the command line.

import { onNode24 } from "./setup/on-node24.js";

await onNode24("apps/cli/main.ts");
