// Copies a text, and says whether it did.
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";

const SHOWN_MS = 2_000;

/** `text`: what is copied. `fieldId`: the input that shows it, selected where copying fails. */
type Props = { text: string; children?: string; label?: string; size?: "normal" | "small"; fieldId?: string };

export function CopyButton({ text, children = "Copy", label = children, size = "normal", fieldId }: Props) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state !== "copied") return undefined;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy(): Promise<void> {
    const isCopied = await copyText(text);
    setState(isCopied ? "copied" : "failed");
    const field = !isCopied && fieldId !== undefined ? document.getElementById(fieldId) : null;
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    field.select();
  }
  return (
    <span className="grid shrink-0 justify-items-end gap-1">
      <Button size={size} onClick={() => void copy()} aria-label={label}>
        {state === "copied" ? "Copied" : children}
      </Button>
      <span role="status" className={state === "failed" ? "max-w-36 text-right text-sm text-danger-ink" : "sr-only"}>
        {state === "copied" ? "Copied" : state === "failed" ? "Copying failed. Select the text and copy it." : ""}
      </span>
    </span>
  );
}
