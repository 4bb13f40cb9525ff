export declare function check(isRight: unknown, message: string): asserts isRight;
export declare function checkNumber(name: string, value: unknown, min: number, max?: number): void;
export declare function checkInteger(name: string, value: unknown, min: number, max: number): void;
/** Anything with fields; what they are is checked one by one. */
export declare function checkObject(name: string, value: unknown): void;
export declare function checkText(name: string, value: unknown): void;
export declare function checkPlatformId(value: unknown): void;
/** An idempotency key, or a cause, which becomes a part of one. */
export declare function checkKey(name: string, value: unknown, charsMax?: number): void;
/** An id that the service gave out, as part of a path. */
export declare function checkId(name: string, value: unknown): void;
