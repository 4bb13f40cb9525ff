// `npm run dashboard` builds its pages with this before it starts.

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/dashboard/main.ts");
