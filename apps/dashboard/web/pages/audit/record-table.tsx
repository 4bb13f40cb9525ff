// The records as a table of sentences, by days. On a narrow screen, a row has at most two lines, and the details, which
// open below it, have the whole sentence. Roles are set explicitly, as in parts/data-table.tsx.
import { Fragment, useId, useState } from "react";
import { auditSentence } from "#contract/dashboard/audit-text.ts";
import type { AuditRecordFacts } from "#contract/dashboard/audit.ts";
import { Button } from "../../parts/button.tsx";
import { TextLink } from "../../parts/links.tsx";
import { Time } from "../../parts/time.tsx";
import { RecordDetails } from "./record-details.tsx";

type Props = { clanId: string; rows: readonly { key: string; record: AuditRecordFacts }[] };

export function RecordTable({ clanId, rows }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string): void => setOpen((before) => before.symmetricDifference(new Set([key])));
  const days = Map.groupBy(rows, ({ record }) => new Date(record.at).toDateString());
  return (
    <div className="rounded-xl border border-line bg-panel">
      <table role="table" aria-label="Audit log" className="block text-left">
        <thead role="rowgroup" className="sr-only">
          <tr role="row">
            {["Change", "When", "Details"].map((header) => (
              <th key={header} role="columnheader" scope="col">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        {[...days].map(([day, ofDay]) => (
          <tbody key={day} role="rowgroup" className="block">
            <tr role="row" className="block border-t border-line bg-sunken in-[tbody:first-of-type]:rounded-t-xl">
              <th role="rowheader" scope="rowgroup" colSpan={3} className="block px-3 py-1 text-sm font-medium sm:px-4">
                {dayText(new Date(day))}
              </th>
            </tr>
            {ofDay.map(({ key, record }) => (
              <Record key={key} clanId={clanId} record={record} isOpen={open.has(key)} onToggle={() => toggle(key)} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

const dayFormat = new Intl.DateTimeFormat("en", { weekday: "short", year: "numeric", month: "short", day: "numeric" });
const DAYS_MS_MAX = 36 * 3_600_000;

/** `day`: its beginning in the person's time zone; a day of a change of clocks has 23 or 25 hours. */
function dayText(day: Date): string {
  const today = new Date(new Date().toDateString()).getTime();
  if (day.getTime() >= today) return "Today";
  return today - day.getTime() < DAYS_MS_MAX ? "Yesterday" : dayFormat.format(day);
}

type RecordProps = { clanId: string; record: AuditRecordFacts; isOpen: boolean; onToggle(): void };

function Record({ clanId, record, isOpen, onToggle }: RecordProps) {
  const detailsId = useId();
  return (
    <Fragment>
      <tr
        role="row"
        className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 border-t border-line px-3 py-1 first:border-t-0 sm:items-center sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:px-4 sm:py-2"
      >
        <td role="cell" className="row-span-2 text-sm/6 wrap-anywhere sm:row-span-1 sm:text-base">
          <span className={isOpen ? "" : "line-clamp-2"}>
            <Sentence clanId={clanId} record={record} />
          </span>
        </td>
        <td role="cell" className="text-right text-sm/6 text-muted">
          <Time at={record.at} />
        </td>
        <td role="cell" className="text-right leading-6">
          <Button
            size="small"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={onToggle}
            className="min-h-6! border-0! px-1! py-0! leading-6! text-accent-ink! sm:px-2!"
          >
            Details
          </Button>
        </td>
      </tr>
      {isOpen ? (
        <tr role="row" id={detailsId} className="block bg-sunken px-3 py-3 sm:px-4">
          <td role="cell" colSpan={3} className="block">
            <RecordDetails clanId={clanId} record={record} />
          </td>
        </tr>
      ) : null}
    </Fragment>
  );
}

/** A reversal leads to its page, as long as it has one. */
function Sentence({ clanId, record }: { clanId: string; record: AuditRecordFacts }) {
  const actor = record.via === "cli" ? `CLI (${record.actor})` : record.actor;
  const sentence = auditSentence({ ...record, actor });
  if (!record.reversal?.isStored) return sentence;
  return (
    <TextLink to={`/clans/${encodeURIComponent(clanId)}/reversals/${encodeURIComponent(record.target)}`}>
      {sentence}
    </TextLink>
  );
}
