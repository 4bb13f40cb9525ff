// A modal dialog: traps the focus, closes with Escape or a click outside unless `sticky`, and returns the focus.
import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { NavigationType, useBlocker } from "react-router";
import { Button } from "./button.tsx";

const IN_PROGRESS = "The request is in progress, and its result would not be shown.";

type Props = {
  open: boolean;
  onClose(): void;
  title: string;
  /** A description in one sentence. */
  description?: ReactNode;
  /**
   * The dialog closes only by its own buttons, and the browser's Back button asks first: a request is in progress, or
   * the text says what would be lost.
   */
  sticky?: boolean | string;
  /** Above the keyboard that a phone shows for typing. */
  isAtTop?: boolean;
  children: ReactNode;
};

export function Dialog({ open, onClose, title, description, sticky = false, isAtTop = false, children }: Props) {
  const isSticky = sticky !== false;
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={isSticky}
      onOpenChange={(isOpen) => !isOpen && !isSticky && onClose()}
    >
      <Base.Portal>
        {/* Also over another dialog. */}
        <Base.Backdrop forceRender className="fixed inset-0 z-30 bg-black/50" />
        <Base.Viewport
          className={`fixed inset-0 z-30 grid justify-items-center overflow-y-auto sm:scroll-pb-24 sm:p-6 ${isAtTop ? "items-start sm:pt-[15dvh]" : "items-end sm:items-center"}`}
        >
          <Base.Popup className="w-full max-w-xl min-w-0 rounded-2xl border border-line bg-panel p-5 shadow-xl sm:p-6">
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            {description === undefined ? null : (
              <Base.Description className="mt-1 text-muted">{description}</Base.Description>
            )}
            <div className="mt-4">{children}</div>
            {isSticky ? <LeaveQuestion onlyBack loss={sticky === true ? IN_PROGRESS : sticky} /> : null}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** The row of buttons at the end of a dialog. On a wide screen, it stays in sight where the dialog is higher. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <div className="mt-6 flex flex-col-reverse gap-2 sm:sticky sm:bottom-0 sm:-mx-6 sm:mt-3 sm:-mb-6 sm:flex-row sm:justify-end sm:rounded-b-2xl sm:bg-panel sm:px-6 sm:pt-3 sm:pb-6">
      {children}
    </div>
  );
}

/**
 * Asks before the page is left. `loss`: what would be lost. `onlyBack`: by the browser's Back button, because a dialog
 * blocks all other navigation, and its page can still navigate by itself.
 */
export function LeaveQuestion({ loss, onlyBack = false }: { loss: string; onlyBack?: boolean }) {
  const blocker = useBlocker(
    ({ historyAction, currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && (!onlyBack || historyAction === NavigationType.Pop),
  );
  if (blocker.state !== "blocked") return null;
  return (
    <Dialog open onClose={() => blocker.reset()} title="Leave this page?" description={loss}>
      <DialogButtons>
        <Button onClick={() => blocker.reset()}>Stay</Button>
        <Button kind="danger" onClick={() => blocker.proceed()}>
          Leave
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
