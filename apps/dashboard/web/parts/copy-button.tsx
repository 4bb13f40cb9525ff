// Copies a text, and says that it did.
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

const SHOWN_MS = 2_000;

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return undefined;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  async function copy(): Promise<void> {
    // Browsers offer no clipboard to pages that came over plain HTTP from another machine.
    await navigator.clipboard?.writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
    if (!navigator.clipboard) setState("failed");
  }
  return (
    <>
      <Button onClick={() => void copy()} aria-label={label}>
        {state === "copied" ? "Copied" : "Copy"}
      </Button>
      <span role="status" className="sr-only">
        {state === "copied" ? "Copied" : state === "failed" ? "Copying failed: select the text and copy it yourself" : ""}
      </span>
    </>
  );
}
