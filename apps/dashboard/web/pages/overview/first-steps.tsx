// What to do in a clan in which nothing has happened yet. The overview takes its place with the first award.
import type { ReactNode } from "react";
import { useApi } from "../../api/use-api.ts";
import { useMe } from "../../api/use-me.ts";
import { TextLink } from "../../parts/links.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Empty } from "../../parts/states.tsx";

const REFRESH_MS = 5_000;

export function FirstSteps({ clanId, mayChange }: { clanId: string; mayChange: boolean }) {
  const options = { refetchMs: REFRESH_MS, enabled: mayChange };
  const keys = useApi("list-keys", { params: { clanId } }, options);
  const list = useApi("list-people", { params: { clanId } }, options);
  const own = useMe().data?.name;
  const hasKey = keys.data?.keys.some(({ status }) => status === "live") ?? false;
  const hasOthers = own !== undefined && (list.data?.people.some(({ name }) => name !== own) ?? false);
  if (!mayChange) return <Empty title="No awards yet.">The first one appears here by itself.</Empty>;
  const pathOf = (page: string): string => `/clans/${encodeURIComponent(clanId)}/${page}`;
  return (
    <Panel title="First steps" note="Nothing has happened in this clan yet.">
      <ol aria-label="First steps" className="grid gap-4">
        <Step number={1} title="Create a key" isDone={hasKey}>
          Game servers send it with every award.
          <TextLink to={pathOf("keys")} className="block w-fit">
            Create a key
          </TextLink>
        </Step>
        <Step number={2} title="Send the first award" isDone={false}>
          The dialog of a new key has a command to copy. This page then shows the award by itself.{" "}
          <span role="status" className="block text-sm">
            {hasKey ? "Waiting for the first award …" : null}
          </span>
        </Step>
        <Step number={3} title="Invite somebody" isDone={hasOthers}>
          Owners change the clan with you, and viewers watch it.
          <TextLink to={pathOf("people")} className="block w-fit">
            Invite somebody
          </TextLink>
        </Step>
      </ol>
    </Panel>
  );
}

type StepProps = { number: number; title: string; isDone: boolean; children: ReactNode };

function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className={`grid size-7 shrink-0 place-items-center rounded-full font-semibold ${isDone ? "bg-good-soft text-good-ink" : "bg-sunken text-muted"}`}
      >
        {isDone ? "✓" : number}
      </span>
      <div>
        <h3 className="font-medium">
          {title}
          {isDone ? <span className="text-sm text-good-ink"> done</span> : null}
        </h3>
        <p className="text-muted">{children}</p>
      </div>
    </li>
  );
}
