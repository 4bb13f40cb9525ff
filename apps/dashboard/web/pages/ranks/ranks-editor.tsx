// Edits the clan's ranks and Auto Clan. Nothing is changed before Save, and a list that affects members is saved only
// after the preview was shown.
import { useRef } from "react";
import { RANKS_PER_CLAN_MAX } from "#domain/bounds.ts";
import type { RankSettings } from "#contract/dashboard/ranks.ts";
import { Button } from "../../parts/button.tsx";
import { Note } from "../../parts/toned.tsx";
import { Failed } from "../../parts/states.tsx";
import { useFaultFocus } from "../../parts/use-fault-focus.ts";
import { PreviewTable } from "./preview-table.tsx";
import { newRow, type RankRow } from "./rank-draft.ts";
import { RankFields } from "./rank-fields.tsx";
import { useRankEditor } from "./use-rank-editor.ts";

export function RanksEditor({ clanId, stored }: { clanId: string; stored: RankSettings }) {
  const editor = useRankEditor(clanId, stored);
  const { draft, isDirty, isSaving, shown } = editor;
  const { rows } = draft;
  const form = useFaultFocus(editor.faults);
  const add = useRef<HTMLButtonElement>(null);
  function changeRow(index: number, changes: Partial<RankRow>): void {
    editor.change({ rows: rows.map((row, at) => (at === index ? { ...row, ...changes } : row)) });
  }
  function removeRow(index: number): void {
    editor.change({ rows: rows.filter((_, at) => at !== index) });
    add.current?.focus();
  }
  return (
    <>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isDirty && !isSaving) editor.save();
        }}
      >
        <fieldset disabled={isSaving} className="grid min-w-0 gap-3">
          <legend className="sr-only">Ranks and Auto Clan</legend>
          {rows.map((row, index) => (
            <RankFields
              key={row.key}
              row={row}
              faultOf={(field) => editor.faultOf(index, field)}
              onChange={(changes) => changeRow(index, changes)}
              onRemove={() => removeRow(index)}
            />
          ))}
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
        <div className="mt-3 grid min-w-0 gap-3">
          {editor.isOutdated ? <Outdated /> : null}
          {editor.error ? <Failed error={editor.error} /> : null}
          <div className="flex flex-wrap gap-2">
            <Button busy={editor.isPreviewing || isSaving} onClick={editor.preview}>
              Preview
            </Button>
            <Button type="submit" kind="primary" disabled={!isDirty} busy={isSaving}>
              Save
            </Button>
            {isDirty || editor.isOutdated ? (
              <Button busy={isSaving} onClick={editor.discard}>
                Discard edits
              </Button>
            ) : null}
          </div>
        </div>
      </form>
      <div role="status">
        {shown ? <PreviewTable preview={shown.preview} needsConfirmation={shown.needsConfirmation} /> : null}
      </div>
    </>
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
      <p id="auto-clan-hint" className="mt-1 text-sm text-muted">
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
