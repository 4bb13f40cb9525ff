// Copies a text, and says that it did.
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";

const SHOWN_MS = 2_000;

type Props = { text: string; label?: string; size?: "normal" | "small" };

export function CopyButton({ text, label = "Copy", size = "normal" }: Props) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return undefined;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy(): Promise<void> {
    setState((await copyText(text)) ? "copied" : "failed");
  }
  return (
    <>
      <Button size={size} onClick={() => void copy()} aria-label={label}>
        {state === "copied" ? "Copied" : "Copy"}
      </Button>
      <span role="status" className="sr-only">
        {state === "copied"
          ? "Copied"
          : state === "failed"
            ? "Copying failed: select the text and copy it yourself"
            : ""}
      </span>
    </>
  );
}
