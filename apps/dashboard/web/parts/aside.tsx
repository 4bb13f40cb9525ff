// What a cell says besides its value: below it in a table, and after it in the line of a list.
import type { ReactNode } from "react";

export function Aside({ children }: { children: ReactNode }) {
  return (
    <>
      {" "}
      <span className="text-sm text-muted xl:block">{children}</span>
    </>
  );
}
