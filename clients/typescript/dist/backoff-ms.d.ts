/** `tries`: how many have failed. */
export declare function backoffMs(tries: number): number;
