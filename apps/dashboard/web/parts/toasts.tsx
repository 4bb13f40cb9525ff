// Short notes about changes, which screen readers announce: one at a time, on the page of the change only. They are
// over the frame, so that they cover nothing of the page: over the account, or on a narrow screen over the bar.
import { createContext, useContext, useEffect, useState, type ReactNode } from "react";
import { useLocation } from "react-router";

const SHOWN_MS = 5_000;
/** Enough time to read the note, and to reach its button by keyboard. */
const UNDO_MS = 10_000;

export type Note = {
  title: string;
  description?: string;
  /** Undoes the change, if that is possible. */
  undo?: () => void;
  /** Where the change leads, if it opens another page. */
  path?: string;
};
/** A new object for each note, which starts its time. */
type Shown = Note & { path: string };

const ShowNote = createContext<(note: Shown) => void>(() => {});

export function ToastProvider({ children }: { children: ReactNode }) {
  const [note, setNote] = useState<Shown | null>(null);
  const { pathname } = useLocation();
  useEffect(() => setNote((shown) => (shown?.path === pathname ? shown : null)), [pathname]);
  return (
    <ShowNote value={setNote}>
      {children}
      <div
        aria-live="polite"
        className="fixed inset-x-4 top-2 z-50 md:top-auto md:right-auto md:bottom-3 md:left-3 md:w-54"
      >
        {note?.path === pathname ? <Toast note={note} onClose={() => setNote(null)} /> : null}
      </div>
    </ShowNote>
  );
}

function Toast({ note, onClose }: { note: Shown; onClose(): void }) {
  const { title, description, undo } = note;
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(onClose, note.undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
    // The function differs with each render, and would start the time again.
  }, [note, isHeld]);
  return (
    <div
      role="group"
      aria-label="Note"
      // Not if it merely appears below a pointer that rests.
      onPointerMove={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
      className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 rounded-xl border border-line bg-panel p-3 shadow-lg"
    >
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-break-word">{title}</p>
        {description === undefined ? null : <p className="text-sm wrap-break-word text-muted">{description}</p>}
      </div>
      {undo ? (
        <button
          type="button"
          className="rounded-md px-2 py-1 font-medium text-accent-ink hover:bg-sunken"
          onClick={() => {
            onClose();
            undo();
          }}
        >
          Undo
        </button>
      ) : null}
      <button
        type="button"
        aria-label="Close"
        className="rounded-md px-2 py-1 text-muted hover:bg-sunken"
        onClick={onClose}
      >
        ×
      </button>
    </div>
  );
}

export function useToast(): (note: Note) => void {
  const show = useContext(ShowNote);
  const { pathname } = useLocation();
  return (note) => show({ path: pathname, ...note });
}
