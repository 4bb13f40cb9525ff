// What to do in a new clan, above the overview until all of it is done or the person dismisses it in this browser. Each
// step ticks itself.
import { useState, type ReactNode } from "react";
import { useApi } from "../../api/use-api.ts";
import { useMe } from "../../api/use-me.ts";
import { Button } from "../../parts/button.tsx";
import { TextLink } from "../../parts/links.tsx";
import { Panel } from "../../parts/panel.tsx";

const REFRESH_MS = 5_000;

/** `hasAwards`: an award has arrived. */
export function FirstSteps({ clanId, hasAwards }: { clanId: string; hasAwards: boolean }) {
  const [isDismissed, setIsDismissed] = useState(() => wasDismissed(clanId));
  if (isDismissed) return null;
  const dismiss = (): void => {
    remember(clanId);
    setIsDismissed(true);
  };
  return <Steps clanId={clanId} hasAwards={hasAwards} onDismiss={dismiss} />;
}

type StepsProps = { clanId: string; hasAwards: boolean; onDismiss(): void };

function Steps({ clanId, hasAwards, onDismiss }: StepsProps) {
  const [isDone, setIsDone] = useState(false);
  const options = { refetchMs: isDone ? false : REFRESH_MS } as const;
  const ranks = useApi("read-ranks", { params: { clanId } }, options).data?.ranks;
  const keys = useApi("list-keys", { params: { clanId } }, options).data?.keys;
  const people = useApi("list-people", { params: { clanId } }, options).data?.people;
  const own = useMe().data?.name;
  if (!ranks || !keys || !people) return null;
  const hasRanks = ranks.length > 1;
  const hasKey = keys.some(({ status }) => status === "live");
  const hasOthers = people.some(({ name }) => name !== own);
  const isAllDone = hasRanks && hasKey && hasAwards && hasOthers;
  // Then nothing is read again and again for what is not shown.
  if (isAllDone !== isDone) setIsDone(isAllDone);
  if (isAllDone) return null;
  const linkTo = (page: string, text: string) => (
    <TextLink to={`/clans/${encodeURIComponent(clanId)}/${page}`} className="block w-fit">
      {text}
    </TextLink>
  );
  return (
    <Panel
      title="First steps"
      actions={
        <Button size="small" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    >
      <ol aria-label="First steps" className="grid gap-4 sm:grid-cols-2">
        <Step number={1} title="Set ranks" isDone={hasRanks}>
          Members rise by XP. Begin with a set of ranks, and change it.
          {linkTo("ranks", "Set ranks")}
        </Step>
        <Step number={2} title="Create a key" isDone={hasKey}>
          Game servers send it with every award.
          {linkTo("keys", "Create a key")}
        </Step>
        <Step number={3} title="Send the first award" isDone={hasAwards}>
          The dialog of a new key has a command to copy. This page then shows the award by itself.{" "}
          <span role="status" className="block text-sm">
            {hasKey && !hasAwards ? "Waiting for the first award …" : null}
          </span>
        </Step>
        <Step number={4} title="Invite somebody" isDone={hasOthers}>
          Owners change the clan with you, moderators give XP, and viewers watch it.
          {linkTo("people", "Invite somebody")}
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
        {isDone ? null : <div className="text-muted">{children}</div>}
      </div>
    </li>
  );
}

function itemOf(clanId: string): string {
  return `first-steps ${clanId}`;
}

function wasDismissed(clanId: string): boolean {
  try {
    return localStorage.getItem(itemOf(clanId)) !== null;
  } catch {
    return false;
  }
}

function remember(clanId: string): void {
  try {
    localStorage.setItem(itemOf(clanId), "dismissed");
  } catch {
    // Then they are back when the page is loaded again.
  }
}
