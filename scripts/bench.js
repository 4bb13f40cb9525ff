// `npm run bench`; bench/options.ts lists its options.

import { onNode24 } from "./setup/on-node24.js";

await onNode24("bench/main.ts");
