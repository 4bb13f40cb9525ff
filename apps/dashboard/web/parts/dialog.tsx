// A modal dialog: traps the focus, closes with Escape or a click outside unless `sticky`, and returns the focus.
import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

type Props = {
  open: boolean;
  onClose(): void;
  title: string;
  /** A description in one sentence. */
  description?: ReactNode;
  /** The dialog closes only by its own buttons, because its content is shown only once. */
  sticky?: boolean;
  children: ReactNode;
};

export function Dialog({ open, onClose, title, description, sticky = false, children }: Props) {
  return (
    <Base.Root open={open} disablePointerDismissal={sticky} onOpenChange={(isOpen) => !isOpen && !sticky && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 bg-black/50" />
        <Base.Viewport className="fixed inset-0 grid items-end justify-items-center overflow-y-auto sm:items-center sm:p-6">
          <Base.Popup className="w-full max-w-xl min-w-0 rounded-t-2xl border border-line bg-panel p-5 shadow-xl sm:rounded-2xl sm:p-6">
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            {description === undefined ? null : (
              <Base.Description className="mt-1 text-muted">{description}</Base.Description>
            )}
            <div className="mt-4">{children}</div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** The row of buttons at the end of a dialog. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}
