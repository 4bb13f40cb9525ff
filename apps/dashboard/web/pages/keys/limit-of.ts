// A typed limit: none if nothing was typed, NaN if it is not a whole number.
import { wholeNumber } from "../../parts/whole-number.ts";

export function limitOf(typed: string): number | null {
  return typed.trim() === "" ? null : wholeNumber(typed);
}
