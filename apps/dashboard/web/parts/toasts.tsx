// Short notes about changes, which screen readers announce: one at a time, on the page of the change only. They are
// over the frame, so that they cover nothing of the page: over the account, or on a narrow screen over the bar.
import { Toast } from "@base-ui/react/toast";
import type { ReactNode } from "react";
import { useLocation } from "react-router";

/** Enough time to read the note, and to reach its button by keyboard. */
const UNDO_MS = 10_000;

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 top-2 z-50 md:top-auto md:right-auto md:bottom-3 md:left-3 md:w-54">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager<Place>();
  const { pathname } = useLocation();
  const here = toasts.filter(({ data }) => data?.path === pathname);
  return here.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // Not the library's role `dialog`: a note asks nothing, and does not take the focus.
      role="group"
      aria-modal={undefined}
      className="rounded-xl border border-line bg-panel p-3 shadow-lg"
    >
      <Toast.Content className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-40">
          <Toast.Title className="font-medium wrap-break-word" />
          <Toast.Description className="text-sm wrap-break-word text-muted" />
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

/** The page that shows the note. */
type Place = { path: string };
type Note = {
  title: string;
  description?: string;
  /** Undoes the change, if that is possible. */
  undo?: () => void;
  /** Where the change leads, if it opens another page. */
  path?: string;
};

export function useToast(): (note: Note) => void {
  const { add, close } = Toast.useToastManager<Place>();
  const { pathname } = useLocation();
  return ({ title, description, undo, path = pathname }) => {
    close();
    const data = { path };
    if (!undo) return void add({ title, description, data });
    function onClick(): void {
      close(id);
      undo?.();
    }
    const id = add({ title, description, data, timeout: UNDO_MS, actionProps: { children: "Undo", onClick } });
  };
}
