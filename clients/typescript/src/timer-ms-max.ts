// The longest timer: setTimeout fires at once when it is told more.
export const TIMER_MS_MAX = 2 ** 31 - 1;
