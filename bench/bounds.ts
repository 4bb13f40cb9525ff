// What a number is held against.

/** `is`: the number is to be at least or at most `must`, and better `aim`. Null: reported, not required. */
export type Bounds = { is: "least" | "most"; must: number | null; aim: number | null };

/** Whether the target is required. The others are only reported. */
export function isHeld({ must }: Bounds): boolean {
  return must !== null;
}
