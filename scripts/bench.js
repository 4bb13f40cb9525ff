// `npm run bench`; test/bench/options.ts lists its options.

import { onNode24 } from "./setup/on-node24.js";

await onNode24("test/bench/main.ts");
