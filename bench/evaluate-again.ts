// A result that was measured before, held against the targets as they are now: numbers stay, verdicts follow.
import { verdictOf } from "./ratio.ts";
import type { Line, Result } from "./run-bench.ts";
import { sizeTargets } from "./size-targets.ts";
import type { Bounds } from "./bounds.ts";
import { targets } from "./targets.ts";

/** A line whose target exists no more stays as it was judged. */
export function evaluateAgain(result: Result): Result {
  return { ...result, lines: result.lines.map(evaluated) };
}

function evaluated(line: Line): Line {
  const isOfLine = ({ id, title }: { id: string; title: string }): boolean => id === line.id && title === line.title;
  const { is, must, aim }: Bounds = targets.find(isOfLine) ?? sizeTargets.find(isOfLine) ?? line;
  return { ...line, is, must, aim, verdict: verdictOf(line.ratio.median, { is, must, aim }) };
}
