// The select `Period` of the members: all time, a period of a board, or a span that the person chooses.
import { useQueries } from "@tanstack/react-query";
import type { PeriodResponse } from "#contract/board.ts";
import { useApi } from "../../api/use-api.ts";
import { Field } from "../../parts/field.tsx";
import { periodsOf, periodText } from "../../parts/periods.ts";

const NAMES: ReadonlySet<string> = new Set(["current", "previous"]);

/** `periodId`: also `current` or `previous`. */
export type ShownPeriod = { boardId: string; periodId: string };
/** Null: all time. */
type Choice = ShownPeriod | typeof CUSTOM | null;
type Props = { clanId: string; value: Choice; onChange(period: Choice): void };

/** Of an option, and in the address. */
export const CUSTOM = "custom";

export function PeriodSelect({ clanId, value, onChange }: Props) {
  const { data } = useApi("list-boards", { params: { clanId } });
  const boards = data?.boards ?? [];
  const lists = useQueries({
    queries: boards.map(({ boardId }) => periodsOf({ clanId, boardId })),
  });
  return (
    <div className="mb-5 w-full sm:max-w-60">
      <Field label="Period">
        {(wiring) => (
          <select
            {...wiring}
            className="field"
            value={valueOf(value)}
            onChange={(event) => onChange(periodOf(event.target.value))}
          >
            <option value="">All time</option>
            <option value={CUSTOM}>Custom…</option>
            {boards.map(({ boardId, name, timeZone }, index) => (
              <optgroup key={boardId} label={name}>
                <option value={valueOf({ boardId, periodId: "current" })}>{name}, current</option>
                <option value={valueOf({ boardId, periodId: "previous" })}>{name}, previous</option>
                {optionsOf(lists[index]?.data ?? [], isOf(boardId, value) ? value.periodId : null).map(
                  ({ periodId, period }) => (
                    <option key={periodId} value={valueOf({ boardId, periodId })}>
                      {period ? periodText(period, timeZone) : periodId}
                    </option>
                  ),
                )}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

function isOf(boardId: string, choice: Choice): choice is ShownPeriod {
  return choice !== null && choice !== CUSTOM && choice.boardId === boardId;
}

function valueOf(choice: Choice): string {
  if (choice === null || choice === CUSTOM) return choice ?? "";
  return `${choice.boardId}/${choice.periodId}`;
}

function periodOf(value: string): Choice {
  if (value === CUSTOM) return CUSTOM;
  const [boardId, periodId] = value.split("/");
  return boardId && periodId ? { boardId, periodId } : null;
}

/** The periods before the previous one, and the selected one, which an address may name by its id. */
function optionsOf(periods: readonly PeriodResponse[], selected: string | null) {
  const ended = periods.filter(({ status }) => status === "settling" || status === "final");
  const older = new Set(ended.slice(1));
  const listed = periods
    .filter((period) => older.has(period) || period.periodId === selected)
    .map((period) => ({ periodId: period.periodId, period }));
  const isOther = selected !== null && !NAMES.has(selected) && !listed.some(({ periodId }) => periodId === selected);
  return isOther ? [...listed, { periodId: selected, period: null }] : listed;
}
