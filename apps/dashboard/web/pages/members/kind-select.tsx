// Which entries of a member's ledger are listed, and what is shown if there are none.
import { useId } from "react";
import { entryKinds, type EntryKind } from "#domain/award.ts";
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
const kinds: readonly Kind[] = ["", ...entryKinds];

export function KindSelect({ value, onChange }: { value: Kind; onChange(kind: Kind): void }) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-muted">
        Kind
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(kinds.find((kind) => kind === target.value) ?? "")}
        className="field w-auto!"
      >
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindTexts[kind]}
          </option>
        ))}
      </select>
    </span>
  );
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
