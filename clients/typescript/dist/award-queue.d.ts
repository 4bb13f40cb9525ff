import { type Config } from "./attempt.js";
import type { AwardQueue, QueueOptions } from "./types.js";
export declare function makeAwardQueue(config: Config, options: QueueOptions): AwardQueue;
