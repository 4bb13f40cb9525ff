// A text from a person or a game: a long word can break anywhere, but the column keeps a minimum width.
import type { ReactNode } from "react";

export function FreeText({ children }: { children: ReactNode }) {
  return <span className="wrap-anywhere xl:inline-block xl:min-w-20">{children}</span>;
}
