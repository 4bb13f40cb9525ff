// A suggestion for a mistyped word, as the end of the error message.
import { distance } from "fastest-levenshtein";

/** ` Did you mean "demo"?`, or an empty text if no candidate is similar. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  // A third of the letters may differ, but at least two, because two swapped letters count as two.
  let farthest = Math.max(2, Math.floor(word.length / 3));
  let nearest: string | null = null;
  for (const candidate of candidates) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase());
    // A word that shares no letter is never suggested, however short both are.
    if (steps > farthest || steps >= Math.max(word.length, candidate.length)) continue;
    if (steps === farthest && nearest !== null) continue;
    nearest = candidate;
    farthest = steps;
  }
  return nearest === null ? "" : ` Did you mean "${nearest}"?`;
}
