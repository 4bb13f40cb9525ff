// The effect of a list of ranks on the clan's members.
import type { RanksPreview } from "#contract/dashboard/ranks.ts";
import { Note } from "../../parts/toned.tsx";
import { numberText } from "../../parts/numbers.ts";
import { DataTable, type Column } from "../../parts/data-table.tsx";
import { rankKindTexts } from "../../parts/rank-kind-texts.ts";

type Row = RanksPreview["ranks"][number] & { key: string };

const columns: Column<Row>[] = [
  { header: "Rank", line: 1, cell: ({ name }) => <span className="font-medium break-words">{name}</span> },
  { header: "Kind", line: null, cell: ({ kind }) => rankKindTexts[kind] },
  { header: "Members now", line: null, isNumber: true, cell: ({ before }) => numberText(before) },
  { header: "Members then", line: 1, isLabeled: true, isNumber: true, cell: ({ after }) => numberText(after) },
  { header: "Rise to it", line: 2, isLabeled: true, isNumber: true, cell: ({ rise }) => numberText(rise) },
  { header: "Fall to it", line: 2, isLabeled: true, isNumber: true, cell: ({ fall }) => numberText(fall) },
];

/** It appears below what the person looks at. */
const showAll = (section: HTMLElement | null): void => section?.scrollIntoView({ block: "nearest" });

/** `needsConfirmation`: members are affected, and the list is saved only after a confirmation. */
export function PreviewTable({ preview, needsConfirmation }: { preview: RanksPreview; needsConfirmation: boolean }) {
  // A rank of the current list may have the same name as a new one.
  const rows = preview.ranks.map((rank, index): Row => ({ ...rank, key: `${index} ${rank.name}` }));
  return (
    <section ref={showAll} className="mt-6 scroll-mb-24">
      <h2 className="mb-3 text-lg font-semibold">Preview</h2>
      <Note tone={needsConfirmation ? "warn" : "plain"} className="mb-3">
        {summaryOf(preview)}
        {needsConfirmation ? " Nothing is saved yet: select Save again to set these ranks." : ""}
      </Note>
      <DataTable label="Preview" columns={columns} rows={rows} keyOf={({ key }) => key} />
    </section>
  );
}

function summaryOf({ members, rise, fall, changed, dropped }: RanksPreview): string {
  const all = members === 1 ? "1 member" : `${numberText(members)} members`;
  if (changed + dropped === 0) return `No rank changes for any of ${all}.`;
  const others = changed - rise - fall;
  const parts = [
    `${numberText(rise)} would rise`,
    `${numberText(fall)} would fall`,
    ...(others === 0 ? [] : [`${numberText(others)} would get another rank`]),
    ...(dropped === 0
      ? []
      : [dropped === 1 ? "1 appointment would end" : `${numberText(dropped)} appointments would end`]),
  ];
  return `Of ${all}, ${parts.join(", ")}.`;
}
