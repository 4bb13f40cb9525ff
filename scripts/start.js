// `npm start`. Exit code 0 after a stop that was asked for, at any moment.

import { onNode24 } from "./setup/on-node24.js";

await onNode24("scripts/supervise/main.ts", { stopCode: 0 });
