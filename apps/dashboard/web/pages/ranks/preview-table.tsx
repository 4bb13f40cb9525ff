// What a list of ranks would do to the clan's members.
import type { RanksPreview } from "#contract/dashboard/ranks.ts";
import { DataTable, type Column } from "../../parts/data-table.tsx";

type Row = RanksPreview["ranks"][number] & { key: string };

const count = new Intl.NumberFormat("en");

const columns: Column<Row>[] = [
  { header: "Rank", cell: ({ name }) => <span className="font-medium break-words">{name}</span> },
  { header: "Kind", cell: ({ kind }) => kind },
  { header: "Members now", isNumber: true, cell: ({ before }) => count.format(before) },
  { header: "Members then", isNumber: true, cell: ({ after }) => count.format(after) },
  { header: "Rise to it", isNumber: true, cell: ({ rise }) => count.format(rise) },
  { header: "Fall to it", isNumber: true, cell: ({ fall }) => count.format(fall) },
];

/** `asks`: members are affected, and saving waits for somebody to agree. */
export function PreviewTable({ preview, asks }: { preview: RanksPreview; asks: boolean }) {
  // A rank of the present list may have the name of a new one.
  const rows = preview.ranks.map((rank, index): Row => ({ ...rank, key: `${index} ${rank.name}` }));
  return (
    <section className="mt-6">
      <h2 className="mb-3 text-lg font-semibold">Preview</h2>
      <p className={`mb-3 rounded-lg px-3 py-2 font-medium ${asks ? "bg-warn-soft text-warn-ink" : "bg-sunken"}`}>
        {summaryOf(preview)}
        {asks ? " Nothing is saved yet: select Save again to set these ranks." : ""}
      </p>
      <DataTable label="Preview" columns={columns} rows={rows} keyOf={({ key }) => key} />
    </section>
  );
}

function summaryOf({ members, rise, fall, changed, dropped }: RanksPreview): string {
  const all = members === 1 ? "1 member" : `${count.format(members)} members`;
  if (changed + dropped === 0) return `No rank changes for any of ${all}.`;
  const others = changed - rise - fall;
  const parts = [
    `${count.format(rise)} would rise`,
    `${count.format(fall)} would fall`,
    ...(others === 0 ? [] : [`${count.format(others)} would get another rank`]),
    ...(dropped === 0
      ? []
      : [dropped === 1 ? "1 appointment would end" : `${count.format(dropped)} appointments would end`]),
  ];
  return `Of ${all}, ${parts.join(", ")}.`;
}
