// What an owner, or a moderator, can do with the selected members. It stays in view while members are selected.
import { useState } from "react";
import type { MemberResponse } from "#contract/member.ts";
import { Button } from "../../parts/button.tsx";
import type { NamedMember } from "../../parts/member-name.tsx";
import { numberText } from "../../parts/numbers.ts";
import { StickyBar } from "../../parts/sticky-bar.tsx";
import { AppointDialog } from "./appoint-dialog.tsx";
import { ChangeXpDialog } from "./change-xp-dialog.tsx";
import { RemoveMemberDialog } from "./remove-member-dialog.tsx";

type Props = {
  clanId: string;
  /** Not only their XP. */
  mayChange: boolean;
  selected: readonly MemberResponse[];
  appointable: readonly string[];
  /** The change is made for this member. */
  onDone(platformId: string): void;
  onClear(): void;
};
type SelectedMember = NamedMember & { rank: string };
/** The members as they were when the dialog was opened: the list goes on. */
type Open = { action: "give" | "appoint" | "remove"; members: readonly SelectedMember[] };

export function SelectionBar({ clanId, mayChange, selected, appointable, onDone, onClear }: Props) {
  const [open, setOpen] = useState<Open | null>(null);
  const begin = (action: Open["action"]) => (): void =>
    setOpen({
      action,
      members: selected.map(({ platformId, name = null, rank }) => ({ platformId, name, rank })),
    });
  const common = open && { clanId, members: open.members, onDone, onClose: () => setOpen(null) };
  return (
    <>
      {selected.length > 0 ? (
        <StickyBar>
          <div role="group" aria-label="Selected members" className="flex flex-wrap items-center gap-2">
            <p role="status" className="mr-auto text-muted max-sm:w-full">
              {numberText(selected.length)} selected
            </p>
            <Button onClick={onClear}>Clear</Button>
            <Button kind="primary" onClick={begin("give")}>
              Give XP
            </Button>
            {mayChange ? (
              <>
                <Button onClick={begin("appoint")}>Appoint</Button>
                <Button kind="warning" onClick={begin("remove")}>
                  Remove
                </Button>
              </>
            ) : null}
          </div>
        </StickyBar>
      ) : null}
      {common && open.action === "give" ? <ChangeXpDialog {...common} isTaking={false} /> : null}
      {common && open.action === "appoint" ? <AppointDialog {...common} appointable={appointable} /> : null}
      {common && open.action === "remove" ? <RemoveMemberDialog {...common} /> : null}
    </>
  );
}
