// Edits the clan's ranks and Auto Clan. Nothing is changed before Save, and a list that affects members is saved only
// after the preview was shown.
import { useRef } from "react";
import { RANKS_PER_CLAN_MAX } from "#domain/bounds.ts";
import type { RankSettings } from "#contract/dashboard/ranks.ts";
import { Button } from "../../parts/button.tsx";
import { LeaveQuestion } from "../../parts/dialog.tsx";
import { Note } from "../../parts/toned.tsx";
import { Failed } from "../../parts/states.tsx";
import { StickyBar } from "../../parts/sticky-bar.tsx";
import { useFaultFocus } from "../../parts/use-fault-focus.ts";
import { PreviewTable } from "./preview-table.tsx";
import { newRow, type RankRow } from "./rank-draft.ts";
import { RankSets } from "./rank-sets.tsx";
import { RankFields } from "./rank-fields.tsx";
import { useRankEditor, type RankEditor } from "./use-rank-editor.ts";

type Props = { clanId: string; stored: RankSettings; /** By the names of the stored ranks. */ members: Members };
export type Members = Readonly<Record<string, number>>;

export function RanksEditor({ clanId, stored, members }: Props) {
  const editor = useRankEditor(clanId, stored);
  const { draft, changes, isSaving, shown } = editor;
  const { rows } = draft;
  const form = useFaultFocus(editor.faults);
  const add = useRef<HTMLButtonElement>(null);
  function changeRow(index: number, changed: Partial<RankRow>): void {
    editor.change({ rows: rows.map((row, at) => (at === index ? { ...row, ...changed } : row)) });
  }
  function removeRow(index: number): void {
    editor.change({ rows: rows.filter((_, at) => at !== index) });
    add.current?.focus();
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (changes > 0 && !isSaving) editor.save();
      }}
    >
      {rows.length === 1 ? <RankSets rows={rows} onChoose={(chosen) => editor.change({ rows: chosen })} /> : null}
      <fieldset disabled={isSaving} className="grid min-w-0 gap-3">
        <legend className="sr-only">Ranks and Auto Clan</legend>
        <div className="rounded-xl border border-line bg-panel">
          <table role="table" aria-label="Ranks" className="block w-full border-collapse text-left lg:table">
            <Headers />
            <tbody role="rowgroup" className="block lg:table-row-group">
              {rows.map((row, index) => (
                <RankFields
                  key={row.key}
                  row={row}
                  members={row.was === null ? undefined : members[row.was]}
                  faultOf={(field) => editor.faultOf(index, field)}
                  onChange={(changed) => changeRow(index, changed)}
                  onRemove={() => removeRow(index)}
                />
              ))}
            </tbody>
          </table>
        </div>
        <div>
          <Button
            ref={add}
            disabled={rows.length >= RANKS_PER_CLAN_MAX}
            onClick={() => editor.change({ rows: [...rows, newRow(rows)] })}
          >
            Add rank
          </Button>
        </div>
        <AutoClan isOn={draft.autoClan} onChange={(autoClan) => editor.change({ autoClan })} />
      </fieldset>
      <div role="status">
        {shown ? <PreviewTable preview={shown.preview} needsConfirmation={shown.needsConfirmation} /> : null}
      </div>
      <Bar editor={editor} />
      {changes > 0 ? <LeaveQuestion loss="Your changes of the ranks are not saved." /> : null}
    </form>
  );
}

/** What the edits are, and what can be done with them, wherever the page is scrolled to. */
function Bar({ editor }: { editor: RankEditor }) {
  const { changes, isSaving, isOutdated, error } = editor;
  return (
    <StickyBar>
      {isOutdated ? <Outdated /> : null}
      {error ? <Failed error={error} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className={`mr-auto text-muted ${changes > 0 ? "w-full sm:w-auto" : ""}`}>
          {changesText(changes)}
        </p>
        {changes > 0 || isOutdated ? (
          <Button busy={isSaving} onClick={editor.discard}>
            Discard edits
          </Button>
        ) : null}
        <Button busy={editor.isPreviewing || isSaving} onClick={editor.preview}>
          Preview
        </Button>
        <Button type="submit" kind="primary" disabled={changes === 0} busy={isSaving}>
          Save
        </Button>
      </div>
    </StickyBar>
  );
}

function changesText(changes: number): string {
  if (changes === 0) return "No changes";
  return changes === 1 ? "1 change" : `${changes} changes`;
}

function Headers() {
  const look = "px-3 py-2 text-sm font-medium text-muted";
  return (
    <thead role="rowgroup" className="sr-only lg:not-sr-only lg:table-header-group">
      <tr role="row" className="border-b border-line">
        {["Name", "Kind"].map((header) => (
          <th key={header} role="columnheader" scope="col" className={look}>
            {header}
          </th>
        ))}
        {["Threshold", "Members"].map((header) => (
          <th key={header} role="columnheader" scope="col" className={`${look} text-right`}>
            {header}
          </th>
        ))}
        <td role="cell" />
      </tr>
    </thead>
  );
}

function AutoClan({ isOn, onChange }: { isOn: boolean; onChange(isOn: boolean): void }) {
  return (
    <div className="mt-3">
      <label className="flex items-center gap-2.5 font-medium">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby="auto-clan-hint"
          className="size-4 accent-accent"
        />
        Auto Clan
      </label>
      <p id="auto-clan-hint" className="mt-1 max-w-prose text-sm text-muted">
        When it is on, a single award that brings a player to the lowest threshold begins their membership. Existing
        memberships do not change.
      </p>
    </div>
  );
}

function Outdated() {
  return (
    <Note role="alert" tone="warn">
      Somebody else changed the ranks since you began. Discard your edits to see the new list.
    </Note>
  );
}
