// XP arithmetic: signed 64-bit, clamped, never wrapped.
import { XP_MAX, XP_MIN } from "#domain/bounds.ts";

/**
 * XP after an award. Clamped to the floor (null: none) and the cap, never past what Int64 holds. The clamp only
 * shortens an award: where a setting changed and XP already lies outside the bounds, an award never moves it the other
 * way.
 */
export function addXp(xp: bigint, amount: bigint, bounds: { xpFloor: bigint | null; xpCap: bigint }): bigint {
  const wanted = xp + amount;
  if (amount >= 0n) {
    const cap = bounds.xpCap < XP_MAX ? bounds.xpCap : XP_MAX;
    if (wanted <= cap) return wanted;
    return xp > cap ? xp : cap;
  }
  const floor = bounds.xpFloor ?? XP_MIN;
  if (wanted >= floor) return wanted;
  return xp < floor ? xp : floor;
}
