// `node scripts/tidy.js`

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/tidy/main.ts");
