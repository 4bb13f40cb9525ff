// `npm run test:faults`

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/check/run-faults.ts");
