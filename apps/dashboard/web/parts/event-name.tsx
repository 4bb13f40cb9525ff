// What an event is called. Its type, which programs know, is shown when the name is selected.
import { useState } from "react";
import type { EventType } from "#domain/event.ts";
import { FreeText } from "./free-text.tsx";

export function EventName({ title, type }: { title: string; type: EventType }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="max-w-full truncate text-left hover:underline xl:whitespace-normal"
      >
        <FreeText>{title}</FreeText>
      </button>
      {isOpen ? <code className="block text-sm text-muted">{type}</code> : null}
    </>
  );
}
