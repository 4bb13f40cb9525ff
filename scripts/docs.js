// `npm run docs`.

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/docs-site/main.ts");
