// One board: its running period or an earlier one, with who gained XP in it.
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import type { PeriodResponse } from "#contract/board.ts";
import { useApi } from "../../api/use-api.ts";
import { DownloadLink } from "../../parts/download-link.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { MemberSearch } from "../../parts/member-search.tsx";
import { Page } from "../../parts/page.tsx";
import { periodsOf, periodText } from "../../parts/periods.ts";
import { SelectField } from "../../parts/select-field.tsx";
import { Empty } from "../../parts/states.tsx";
import { useClan } from "../../parts/use-clan.ts";
import { Standings } from "../members/standings.tsx";

export function BoardPage() {
  const { clanId } = useClan();
  const { boardId = "" } = useParams();
  const list = useApi("list-boards", { params: { clanId } });
  const periods = useQuery(periodsOf({ clanId, boardId })).data ?? [];
  const [address, setAddress] = useSearchParams();
  const [typed, setTyped] = useState("");
  const search = useDeferredValue(typed.trim());
  const board = list.data?.boards.find((one) => one.boardId === boardId);
  const periodId = address.get("period") ?? board?.current?.periodId ?? newestIn(periods)?.periodId;
  const shown = periodId === undefined ? null : { boardId, periodId };
  return (
    <Page
      title={board?.name ?? "Board"}
      above={{ label: "Boards", path: "boards" }}
      actions={
        shown ? (
          <DownloadLink endpoint="export-standings" params={{ clanId, ...shown }}>
            Export CSV
          </DownloadLink>
        ) : null
      }
    >
      <Loaded query={list} what="the board">
        {() =>
          board ? (
            <>
              <div className="flex flex-wrap items-end gap-x-4">
                <div className="mb-5 w-full sm:w-84">
                  <SelectField
                    label="Period"
                    options={optionsOf(periods, periodId, board.timeZone)}
                    value={periodId ?? ""}
                    onChange={({ target }) => setAddress({ period: target.value }, { replace: true })}
                  />
                </div>
                <MemberSearch value={typed} onChange={setTyped} />
              </div>
              {shown ? (
                <Standings clanId={clanId} shown={shown} search={search} />
              ) : (
                <Empty title="There was no season yet." />
              )}
            </>
          ) : (
            <Empty title="This clan has no such board." />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Of those that have begun. */
function newestIn(periods: readonly PeriodResponse[]): PeriodResponse | undefined {
  return periods.find(({ status }) => status !== "upcoming") ?? periods[0];
}

const notes: Partial<Record<PeriodResponse["status"], string>> = { open: "now", upcoming: "coming" };

/** The newest first. An address may name one that is not among them. */
function optionsOf(periods: readonly PeriodResponse[], selected: string | undefined, timeZone: string | null) {
  const known = periods.map((period): [string, string] => {
    const note = notes[period.status];
    return [period.periodId, `${periodText(period, timeZone)}${note === undefined ? "" : ` (${note})`}`];
  });
  const isOther = selected !== undefined && !periods.some(({ periodId }) => periodId === selected);
  return isOther ? [...known, [selected, selected] as const] : known;
}
