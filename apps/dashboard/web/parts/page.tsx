// The frame of a page: its heading, which is also the title of the window, before the name of the clan, the page above
// it, and its actions.
import { useEffect, type ReactNode } from "react";
import { TextLink } from "./links.tsx";
import { useClan } from "./use-clan.ts";

type Props = {
  title: string;
  /** What the heading shows in place of the title. */
  heading?: ReactNode;
  /** The page of the clan that leads here, by its path below `/clans/{clanId}/`. */
  above?: { label: string; path: string };
  actions?: ReactNode;
  children: ReactNode;
};

export function Page({ title, heading = title, above, actions, children }: Props) {
  const { clanId, name } = useClan();
  useEffect(() => {
    document.title = [title, ...(name === "" ? [] : [name]), "Clan XP"].join(" · ");
  }, [title, name]);
  return (
    <main className="mx-auto w-full max-w-6xl min-w-0 flex-1 px-4 py-6 sm:px-8 sm:py-8">
      {above ? (
        <nav aria-label="Breadcrumb" className="mb-1 text-sm">
          <TextLink to={`/clans/${encodeURIComponent(clanId)}/${above.path}`}>{above.label}</TextLink>
          <span aria-hidden="true" className="text-muted">
            {" "}
            /
          </span>
        </nav>
      ) : null}
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
