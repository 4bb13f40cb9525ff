// `npm run setup:tools`

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/tools/main.ts");
