// A number, or a word if there is none.
import { numberText } from "./numbers.ts";

export function Count({ of: count, none }: { of: number | null; none: string }) {
  return count === null ? <span className="text-muted">{none}</span> : numberText(count);
}
