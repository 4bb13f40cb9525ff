// A text that a person or a game wrote: a long word in it breaks anywhere, but not to a column of single letters.
import type { ReactNode } from "react";

export function FreeText({ children }: { children: ReactNode }) {
  return <span className="inline-block wrap-anywhere xl:min-w-28">{children}</span>;
}
