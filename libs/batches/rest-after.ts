// How long work that can wait rests after a step.

/** Then work has a seventh of the time. */
const REST_BESIDE_AWARDS = 6;
const REST_ALONE = 1 / 3;

/** `hasPriority`: an API received single awards or calls a moment ago, and they take precedence. */
export function restAfter(tookMs: number, hasPriority: boolean): number {
  return tookMs * (hasPriority ? REST_BESIDE_AWARDS : REST_ALONE);
}
