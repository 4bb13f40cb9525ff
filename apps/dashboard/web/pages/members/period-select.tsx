// The select `Period` of the members: all time, or a period of a board.
import { useQueries } from "@tanstack/react-query";
import type { PeriodResponse } from "#contract/board.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/use-api.ts";
import { Field } from "../../parts/field.tsx";

/** `periodId`: also `current` or `previous`. */
export type ShownPeriod = { boardId: string; periodId: string };
type Props = { clanId: string; value: ShownPeriod | null; onChange(period: ShownPeriod | null): void };

/** Nothing in a clan without boards. */
export function PeriodSelect({ clanId, value, onChange }: Props) {
  const { data } = useApi("list-boards", { params: { clanId } });
  const boards = data?.boards ?? [];
  const lists = useQueries({
    queries: boards.map(({ boardId }) => ({
      queryKey: ["list-periods", { params: { clanId, boardId } }],
      queryFn: ({ signal }: { signal: AbortSignal }) => call("list-periods", { params: { clanId, boardId } }, signal),
    })),
  });
  if (boards.length === 0) return null;
  return (
    <div className="mb-5 w-full max-w-sm">
      <Field label="Period">
        {(wiring) => (
          <select
            {...wiring}
            className="field"
            value={value ? valueOf(value) : ""}
            onChange={(event) => onChange(periodOf(event.target.value))}
          >
            <option value="">All time</option>
            {boards.map(({ boardId, name, timeZone }, index) => (
              <optgroup key={boardId} label={name}>
                <option value={valueOf({ boardId, periodId: "current" })}>Current</option>
                <option value={valueOf({ boardId, periodId: "previous" })}>Previous</option>
                {olderOf(lists[index]?.data?.periods ?? []).map((period) => (
                  <option key={period.periodId} value={valueOf({ boardId, periodId: period.periodId })}>
                    {spanText(period, timeZone)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

function valueOf({ boardId, periodId }: ShownPeriod): string {
  return `${boardId}/${periodId}`;
}

function periodOf(value: string): ShownPeriod | null {
  const [boardId, periodId] = value.split("/");
  return boardId && periodId ? { boardId, periodId } : null;
}

/** Those before the previous one. */
function olderOf(periods: readonly PeriodResponse[]): readonly PeriodResponse[] {
  return periods.filter(({ status }) => status === "settling" || status === "final").slice(1);
}

function spanText({ startsAt, endsAt }: PeriodResponse, timeZone: string | null): string {
  const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: timeZone ?? undefined });
  return day.formatRange(new Date(startsAt), new Date(endsAt));
}
