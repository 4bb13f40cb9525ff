// Fetches Redis for a first start while npm installs the packages, which this does not need. What it cannot fetch, the
// start itself looks for. MongoDB's own download needs a package, so it comes later.

import { cacheDir } from "../paths.js";
import { messageOf } from "../system/message-of.js";
import { findServer } from "./find-server.ts";
import { servers } from "./providers.ts";

const isGiven = process.env["REDIS_URL"] !== undefined || process.env["REDIS_URL_FILE"] !== undefined;
const log = (line: string) => console.error(line);
if (!isGiven) await findServer(servers.redis, { cacheDir, log }).catch((error) => log(messageOf(error)));
