// One fact of a list of them (dl): its name, and below it the value.
import type { ReactNode } from "react";

export function Fact({ name, isLarge = false, children }: { name: string; isLarge?: boolean; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className={`mt-0.5 font-semibold break-words ${isLarge ? "text-lg" : ""}`}>{children}</dd>
    </div>
  );
}
