import { type Config } from "./attempt.cjs";
import type { AwardQueue, QueueOptions } from "./types.cjs";
export declare function makeAwardQueue(config: Config, options: QueueOptions): AwardQueue;
