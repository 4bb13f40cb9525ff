// A bar at the end of a page that stays in view wherever the page is scrolled to.
import type { ReactNode } from "react";

export function StickyBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-6 grid gap-3 border-t border-line bg-page px-4 py-3 sm:-mx-8 sm:px-8">
      {children}
    </div>
  );
}
