// What the public page shows, and who may list and embed it. Each switch acts when it is switched.
import { useState } from "react";
import type { PublicPageFacts } from "#contract/dashboard/public-page.ts";
import { FRAME_ORIGIN_FORM, FRAME_ORIGINS_MAX, frameOriginOf } from "#domain/public-page.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../parts/button.tsx";
import { Failed } from "../../parts/states.tsx";
import { SwitchField } from "../../parts/switch-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { useChangePage, type ChangePage } from "./use-change-page.ts";

type Settings = PublicPageFacts["settings"];

export function PageSettings({ clanId, settings }: { clanId: string; settings: Settings }) {
  const change = useChangePage(clanId);
  const set = (changes: Partial<Settings>): void => change.mutate({ publish: false, ...changes });
  const common = { isBusy: change.isPending };
  return (
    <div className="grid gap-4">
      {change.error ? <Failed error={change.error} /> : null}
      <SwitchField
        label="Names"
        hint="Shows the names of members. Off: Player and the position."
        isOn={settings.names}
        onChange={(names) => set({ names })}
        {...common}
      />
      <SwitchField
        label="Search engines"
        hint="Lets search engines list the page."
        isOn={settings.index}
        onChange={(index) => set({ index })}
        {...common}
      />
      <SwitchField
        label="Boards"
        hint="Shows the clan's boards."
        isOn={settings.boards !== "none"}
        onChange={(isOn) => set({ boards: isOn ? "all" : "none" })}
        {...common}
      />
      {settings.boards === "none" ? null : (
        <BoardChoice clanId={clanId} boards={settings.boards} isBusy={change.isPending} onChange={set} />
      )}
      <SwitchField
        label="Embedding"
        hint="Lets other web sites show a board in a frame."
        isOn={settings.frames !== "none"}
        onChange={(isOn) => set({ frames: isOn ? "any" : "none" })}
        {...common}
      />
      {settings.frames === "none" ? null : (
        <OriginsForm key={String(settings.frames)} frames={settings.frames} change={change} />
      )}
    </div>
  );
}

type BoardProps = {
  clanId: string;
  boards: "all" | string[];
  isBusy: boolean;
  onChange(changes: Pick<Settings, "boards">): void;
};

/** Which of the boards it shows, if the clan has several. */
function BoardChoice({ clanId, boards, isBusy, onChange }: BoardProps) {
  const all = useApi("list-boards", { params: { clanId } }).data?.boards ?? [];
  if (all.length < 2) return null;
  const isShown = (boardId: string): boolean => boards === "all" || boards.includes(boardId);
  function toggle(toggled: string): void {
    const shown = all.map(({ boardId }) => boardId).filter((id) => isShown(id) !== (id === toggled));
    onChange({ boards: shown.length === all.length ? "all" : shown.length === 0 ? "none" : shown });
  }
  return (
    <fieldset className="ml-6.5">
      <legend className="sr-only">Boards on the page</legend>
      {all.map(({ boardId, name }) => (
        <label key={boardId} className="flex items-center gap-2.5">
          <input
            type="checkbox"
            checked={isShown(boardId)}
            onChange={() => (isBusy ? undefined : toggle(boardId))}
            className="size-4 accent-accent"
          />
          <bdi className="min-w-0 wrap-anywhere">{name}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

/** Which web sites may embed a board. */
function OriginsForm({ frames, change }: { frames: "any" | string[]; change: ChangePage }) {
  const stored = frames === "any" ? "" : frames.join(" ");
  const [typed, setTyped] = useState(stored);
  const [fault, setFault] = useState<string>();
  function submit(): void {
    const origins = typed.split(/[\s,]+/).filter((text) => text !== "");
    const wrong = origins.find((text) => frameOriginOf(text) === null);
    if (wrong !== undefined) return setFault(`Each of them must be ${FRAME_ORIGIN_FORM}.`);
    if (origins.length > FRAME_ORIGINS_MAX) return setFault(`There may be at most ${FRAME_ORIGINS_MAX}.`);
    change.mutate({ publish: false, frames: origins.length === 0 ? "any" : origins });
  }
  return (
    <form
      noValidate
      className="ml-6.5 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) submit();
      }}
    >
      <TextField
        label="Web sites"
        hint="Their addresses, separated by spaces. Leave it empty to permit every web site."
        placeholder="https://clan.example.com"
        error={fault}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setFault(undefined);
        }}
      />
      <div>
        <Button type="submit" size="small" disabled={typed.trim() === stored} busy={change.isPending}>
          Save web sites
        </Button>
      </div>
    </form>
  );
}
