// `npm test`. Its last line has the number of tests, even if it fails.

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/check/test.ts", { lastWords: "0 passed, 1 failed" });
