// XP arithmetic: signed 64-bit, clamped, never wrapped.
import { XP_MAX, XP_MIN } from "#domain/bounds.ts";

/**
 * XP after an award, clamped to the floor (null: none), the cap and the range of Int64. Clamping only shortens an
 * award: if a setting changed and XP is already outside the bounds, an award never moves it in the opposite direction.
 */
export function addXp(xp: bigint, amount: bigint, bounds: { xpFloor: bigint | null; xpCap: bigint }): bigint {
  const sum = xp + amount;
  if (amount >= 0n) {
    const cap = bounds.xpCap < XP_MAX ? bounds.xpCap : XP_MAX;
    if (sum <= cap) return sum;
    return xp > cap ? xp : cap;
  }
  const floor = bounds.xpFloor ?? XP_MIN;
  if (sum >= floor) return sum;
  return xp < floor ? xp : floor;
}
