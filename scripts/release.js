// `npm run release`

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/release/main.ts");
