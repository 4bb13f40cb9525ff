// What a row has on demand: names, and beside or below them the values.
import type { ReactNode } from "react";

export function Details({ children }: { children: ReactNode }) {
  return <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[minmax(8rem,auto)_minmax(0,1fr)]">{children}</dl>;
}

/** Nothing without a value. */
export function Detail({ name, children = null }: { name: string; children?: ReactNode }) {
  if (children === null || children === "") return null;
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="-mt-2 wrap-anywhere sm:mt-0">{children}</dd>
    </>
  );
}
