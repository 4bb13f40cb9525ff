// A part of a page with a border and a heading.
import { useId, type ReactNode } from "react";

type Props = { title: string; note?: ReactNode; actions?: ReactNode; children: ReactNode };

export function Panel({ title, note, actions, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border border-line bg-panel p-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          {note === undefined ? null : <p className="text-sm text-muted">{note}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
