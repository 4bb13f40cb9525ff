// Short notes of what was done, at the lower edge; read out by screen readers.
import { Toast } from "@base-ui/react/toast";
import type { ReactNode } from "react";

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-50 flex flex-col gap-2 sm:left-auto sm:w-96">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Toasts() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="rounded-xl border border-line bg-panel p-3 shadow-lg">
      <Toast.Content className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <Toast.Title className="font-medium" />
          <Toast.Description className="text-sm text-muted" />
        </div>
        <Toast.Action className="rounded-md px-2 py-1 font-medium text-accent-ink hover:bg-sunken" />
        <Toast.Close aria-label="Close" className="rounded-md px-2 py-1 text-muted hover:bg-sunken">
          ×
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

/** `undo`: what takes it back, where something does. */
export function useToast(): (note: { title: string; description?: string; undo?: () => void }) => void {
  const { add } = Toast.useToastManager();
  return ({ title, description, undo }) => {
    add({ title, description, ...(undo ? { actionProps: { children: "Undo", onClick: undo } } : {}) });
  };
}
