import type { AwardOptions, DroppedAward } from "./types.js";
/** The award as it was asked for, right or wrong. */
export declare function describeAward(platformId: string, amount: number, options: AwardOptions): DroppedAward;
/** Throws `invalid_argument` unless the award can be sent. */
export declare function checkAward({ platformId, amount }: DroppedAward, { reason, source, cause, idempotencyKey }: AwardOptions): void;
