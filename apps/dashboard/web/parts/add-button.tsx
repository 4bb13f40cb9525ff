// The button that adds to a list with a bound, and beside it why it cannot, if the list is full.
import { useId } from "react";
import { Button } from "./button.tsx";

/** `full`: what to do before one more can be added; null: the list is not full. */
type Props = { full: string | null; onClick(): void; children: string };

export function AddButton({ full, onClick, children }: Props) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center justify-end gap-3">
      {full === null ? null : (
        <p id={id} className="text-sm text-muted">
          {full}
        </p>
      )}
      <Button
        kind="primary"
        disabled={full !== null}
        aria-describedby={full === null ? undefined : id}
        onClick={onClick}
      >
        {children}
      </Button>
    </div>
  );
}
