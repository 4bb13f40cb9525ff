// The frame of the pages without navigation, and the separator between two alternatives.
import type { ReactNode } from "react";

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-sm rounded-2xl border border-line bg-panel p-6 shadow-sm">
        <img src="/icon.svg" alt="" width="36" height="36" />
        <h1 tabIndex={-1} className="mt-4 mb-5 text-xl font-semibold tracking-tight">
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}

export function Or() {
  return (
    <div className="flex items-center gap-3 text-sm text-muted">
      <span className="h-px flex-1 bg-line" />
      or
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}
