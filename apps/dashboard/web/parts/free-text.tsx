// A text that a person or a game wrote: a long word in it breaks anywhere, but not to a column of single letters.
import type { ReactNode } from "react";

export function FreeText({ children }: { children: ReactNode }) {
  return <span className="wrap-anywhere xl:inline-block xl:min-w-20">{children}</span>;
}
