// The next three boundaries with a schedule, in its time zone and in UTC.
import { BoardRhythm } from "#contract/dashboard/boards.ts";
import { parse } from "#contract/parse.ts";
import { useApi } from "../../api/use-api.ts";
import { ZonedTime } from "../../parts/time.tsx";
import { rhythmOf, type BoardValues } from "./board-values.ts";

type Props = { clanId: string; boardId: string | null; values: BoardValues };

export function Boundaries({ clanId, boardId, values }: Props) {
  const rhythm = rhythmOf(values);
  const isValid = parse(BoardRhythm, rhythm).ok;
  const sent = { params: { clanId }, body: { rhythm, boardId } };
  const { data } = useApi("preview-board", sent, { enabled: isValid, keepsPrevious: true });
  return (
    <section aria-label="Next boundaries" className="rounded-lg bg-sunken p-3">
      <h3 className="mb-1 font-medium">Next boundaries</h3>
      {isValid && data ? (
        <ol className="grid gap-2 sm:grid-cols-3">
          {data.boundaries.map((boundary) => (
            <li key={boundary}>
              <ZonedTime at={boundary} timeZone={rhythm.timeZone} />
            </li>
          ))}
        </ol>
      ) : (
        <p className="text-sm text-muted">Shown once the schedule is complete.</p>
      )}
    </section>
  );
}
