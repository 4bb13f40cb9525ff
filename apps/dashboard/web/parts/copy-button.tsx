// Copies a text, and says whether it did. Where the browser offers no clipboard, as over plain HTTP, it selects the
// text and says how to copy it.
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { copyText, selectText } from "./copy-text.ts";

const SHOWN_MS = 2_000;

/** `text`: the text to copy. `shownIn`: the id of the element that shows it. */
type Props = { text: string; children?: string; label?: string; size?: "normal" | "small"; shownIn?: string };
type State = "idle" | "copied" | "selected" | "failed";

const notes: Record<State, string> = {
  idle: "",
  copied: "Copied",
  selected: "The browser did not copy the text. It is selected: press Ctrl+C, or ⌘C on a Mac.",
  failed: "The browser did not copy the text. Select it, and press Ctrl+C, or ⌘C on a Mac.",
};

/** In a row that wraps: the note takes a line below. */
export function CopyButton({ text, children = "Copy", label = children, size = "normal", shownIn }: Props) {
  const [state, setState] = useState<State>("idle");
  useEffect(() => {
    if (state !== "copied") return undefined;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy(): Promise<void> {
    if (await copyText(text)) setState("copied");
    else setState(selectText(shownIn) ? "selected" : "failed");
  }
  const hasFailed = state === "selected" || state === "failed";
  return (
    <>
      <Button size={size} onClick={() => void copy()} aria-label={label}>
        {state === "copied" ? "Copied" : children}
      </Button>
      <span role="status" className={hasFailed ? "basis-full text-sm text-danger-ink" : "sr-only"}>
        {notes[state]}
      </span>
    </>
  );
}
