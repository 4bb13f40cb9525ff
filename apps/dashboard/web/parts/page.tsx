// The frame of a page: its heading, which is also the title of the window, before the name of the clan, and its
// actions.
import { useEffect, type ReactNode } from "react";
import { useClan } from "./use-clan.ts";

type Props = {
  title: string;
  /** What the heading shows in place of the title. */
  heading?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

export function Page({ title, heading = title, actions, children }: Props) {
  const { name } = useClan();
  useEffect(() => {
    document.title = [title, ...(name === "" ? [] : [name]), "Clan XP"].join(" · ");
  }, [title, name]);
  return (
    <main className="mx-auto w-full max-w-6xl min-w-0 flex-1 px-4 py-6 sm:px-8 sm:py-8">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h1 tabIndex={-1} className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere">
          {heading}
        </h1>
        {actions}
      </div>
      {children}
    </main>
  );
}
