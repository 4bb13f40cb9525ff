// Which entries of a member's ledger are listed, and what is shown if there are none.
import { entryKinds, type EntryKind } from "#domain/award.ts";
import { InlineSelect } from "../../parts/inline-select.tsx";
import { Empty } from "../../parts/states.tsx";

type Kind = EntryKind | "";
const kindTexts: Readonly<Record<Kind, string>> = {
  "": "All",
  award: "Awards",
  reversal: "Reversals",
  membership: "Memberships",
  appointment: "Appointments",
  reset: "Resets",
};
const kinds = (["", ...entryKinds] as const).map((kind) => [kind, kindTexts[kind]] as const);

export function KindSelect({ value, onChange }: { value: Kind; onChange(kind: Kind): void }) {
  return <InlineSelect label="Kind" options={kinds} value={value} onChange={onChange} />;
}

/** Each page looks through a bounded number of entries for those of a kind. */
export function NoEntries({ kind, hasOlder }: { kind: Kind; hasOlder: boolean }) {
  if (kind === "") return <Empty title="No entries." />;
  return (
    <Empty title={`No ${kindTexts[kind].toLowerCase()}${hasOlder ? " among the newest entries" : ""}.`}>
      {hasOlder ? "Older entries may have some." : undefined}
    </Empty>
  );
}
