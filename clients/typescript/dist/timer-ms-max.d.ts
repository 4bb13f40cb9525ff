export declare const TIMER_MS_MAX: number;
