// `npm run test:containers`

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/containers/main.ts");
