// The filters of a list that are set, below their fields: each can be removed, and all of them together.
import { useRef } from "react";
import { X } from "lucide-react";
import { Button } from "./button.tsx";

/** Such as Rank and Elite. */
export type FilterChip = { name: string; value: string; onRemove(): void };

type Props = { chips: readonly FilterChip[]; onClear(): void };

export function FilterChips({ chips, onClear }: Props) {
  const list = useRef<HTMLUListElement>(null);
  if (chips.length === 0) return null;
  // The focus stays among the chips as long as there are any.
  const remove = (index: number): void => {
    const buttons = list.current?.querySelectorAll("button") ?? [];
    buttons[index + 1 < chips.length ? index + 1 : index - 1]?.focus();
    chips[index]?.onRemove();
  };
  return (
    <ul ref={list} aria-label="Filters" className="mb-5 flex flex-wrap items-center gap-2">
      {chips.map(({ name, value }, index) => (
        <li key={name} className="min-w-0">
          <button
            type="button"
            onClick={() => remove(index)}
            className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-line bg-panel px-3 text-sm hover:bg-sunken"
          >
            <span className="sr-only">Remove the filter </span>
            <span className="min-w-0 truncate">
              <span className="text-muted">{name}:</span> {value}
            </span>
            <X aria-hidden="true" size={14} className="shrink-0 text-muted" />
          </button>
        </li>
      ))}
      <li>
        <Button size="small" onClick={onClear} className="border-transparent! bg-transparent! text-accent-ink!">
          Clear all
        </Button>
      </li>
    </ul>
  );
}
