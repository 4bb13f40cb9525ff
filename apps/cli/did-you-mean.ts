// A suggestion for a mistyped word, as the end of the sentence that refuses it.
import { distance } from "fastest-levenshtein";

/** ` Did you mean "demo"?`, or nothing where no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  // A third of the word may be wrong, and two letters always: swapped neighbours count as two.
  let farthest = Math.max(2, Math.floor(word.length / 3));
  let nearest: string | null = null;
  for (const candidate of candidates) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase());
    // A word that shares no letter is not meant, however short both are.
    if (steps > farthest || steps >= Math.max(word.length, candidate.length)) continue;
    if (steps === farthest && nearest !== null) continue;
    nearest = candidate;
    farthest = steps;
  }
  return nearest === null ? "" : ` Did you mean "${nearest}"?`;
}
