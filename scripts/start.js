// `npm start`. Exits with code 0 after a requested stop, at any moment.

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/supervise/main.ts", { stopCode: 0, meanwhile: "scripts/servers/prefetch.ts" });
