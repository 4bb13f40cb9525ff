// A page that lists what owners add to a clan up to a bound, such as boards: the button that adds one, or beside it why
// it cannot, and what is shown while there is none. The palette and links can ask it to add one.
import { useId, type ReactNode } from "react";
import type { UseQueryResult } from "@tanstack/react-query";
import { Button } from "./button.tsx";
import { Loaded } from "./loaded.tsx";
import { Page } from "./page.tsx";
import { Empty } from "./states.tsx";
import { useAskedDialog } from "./use-asked-dialog.ts";
import { useClan } from "./use-clan.ts";

type Props<Data> = {
  title: string;
  about: string;
  /** Such as "board". */
  noun: string;
  verb?: "Add" | "Create";
  list: UseQueryResult<Data>;
  isEmpty(list: Data): boolean;
  /** What the first one would be good for. */
  invitation: string;
  /** What to do before one more can be added; null: the list is not full. */
  fullText(list: Data): string | null;
  onAdd(): void;
  children(list: Data): ReactNode;
  dialogs: ReactNode;
};

export function ListPage<Data>(props: Props<Data>) {
  const { title, about, noun, verb = "Add", list, isEmpty, invitation, fullText, onAdd, children, dialogs } = props;
  const { mayChange } = useClan();
  const full = list.data ? fullText(list.data) : null;
  const asked = verb === "Add" ? "add" : "create";
  useAskedDialog<"boards" | "keys">(mayChange ? [asked] : [], onAdd, list.data !== undefined && full === null);
  const none = `No ${noun}s yet.`;
  return (
    <Page
      title={title}
      actions={mayChange && list.data ? <AddButton label={`${verb} ${noun}`} full={full} onAdd={onAdd} /> : null}
    >
      <p className="mb-5 max-w-prose text-muted">{about}</p>
      <Loaded query={list} what={`the ${noun}s`}>
        {(data) => {
          if (!isEmpty(data)) return children(data);
          if (!mayChange) return <Empty title={none}>{`An owner of the clan can ${asked} one.`}</Empty>;
          return (
            <Empty title={none} action={<Button onClick={onAdd}>{`${verb} the first ${noun}`}</Button>}>
              {invitation}
            </Empty>
          );
        }}
      </Loaded>
      {dialogs}
    </Page>
  );
}

function AddButton({ label, full, onAdd }: { label: string; full: string | null; onAdd(): void }) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center justify-end gap-3">
      {full === null ? null : (
        <p id={id} className="text-sm text-muted">
          {full}
        </p>
      )}
      <Button kind="primary" disabled={full !== null} aria-describedby={full === null ? undefined : id} onClick={onAdd}>
        {label}
      </Button>
    </div>
  );
}
