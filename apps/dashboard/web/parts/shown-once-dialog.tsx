// A dialog with something that is shown only once: it stays open until the person has said that they have it.
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";

/** `sticky`: what is lost with the dialog. */
type Props = { title: string; description: string; sticky: string; onClose(): void; children: ReactNode };

export function ShownOnceDialog({ children, onClose, ...dialog }: Props) {
  return (
    <Dialog {...dialog} open onClose={onClose}>
      <div className="grid gap-4">{children}</div>
      <DialogButtons>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
