// Short notes about changes, which screen readers announce. On a narrow screen they are at the top, because dialogs
// have their buttons at the bottom.
import { Toast } from "@base-ui/react/toast";
import type { ReactNode } from "react";

/** Enough time to read the note, and to reach its button by keyboard. */
const UNDO_MS = 10_000;

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 top-4 z-50 flex flex-col gap-2 sm:top-auto sm:bottom-4 sm:left-auto sm:w-96">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // Not the library's role `dialog`: a note asks nothing, and does not take the focus.
      role="group"
      aria-modal={undefined}
      className="rounded-xl border border-line bg-panel p-3 shadow-lg"
    >
      <Toast.Content className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <Toast.Title className="font-medium" />
          <Toast.Description className="text-sm text-muted" />
        </div>
        <Toast.Action className="rounded-md px-2 py-1 font-medium text-accent-ink hover:bg-sunken" />
        {/* The library hides it from screen readers, though it can have the focus. */}
        <Toast.Close
          aria-label="Close"
          aria-hidden={undefined}
          className="rounded-md px-2 py-1 text-muted hover:bg-sunken"
        >
          ×
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

/** `undo`: undoes the change, if that is possible. */
export function useToast(): (note: { title: string; description?: string; undo?: () => void }) => void {
  const { add, close } = Toast.useToastManager();
  return ({ title, description, undo }) => {
    if (!undo) return void add({ title, description });
    function onClick(): void {
      close(id);
      undo?.();
    }
    const id = add({ title, description, timeout: UNDO_MS, actionProps: { children: "Undo", onClick } });
  };
}
