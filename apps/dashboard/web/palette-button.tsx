// Opens the palette: by its button, or by Ctrl K (⌘K on a Mac) from anywhere.
import { Search } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import type { Me } from "#contract/dashboard/account.ts";
import { lazyPart } from "./lazy-part.ts";

const load = () => import("./palette.tsx").then((m) => m.Palette);
const Palette = lazyPart(load);

export function PaletteButton({ me, clanId }: { me: Me; clanId: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      // Before the K, so that what the person types next is not lost.
      if (event.ctrlKey || event.metaKey) load().catch(() => {});
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      // A dialog that asks something is answered first.
      if (document.querySelector("[role=dialog]") === null) setIsOpen(true);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setIsOpen(true)}
        className="flex size-10 items-center justify-center gap-2.5 rounded-lg text-muted hover:bg-sunken md:mx-2 md:size-auto md:justify-start md:border md:border-field md:px-2.5 md:py-1.5"
      >
        <Search aria-hidden="true" size={18} className="shrink-0" />
        <span className="mr-auto max-md:sr-only">Go to</span>
        <kbd aria-hidden="true" className="hidden font-sans text-xs md:inline">
          Ctrl K
        </kbd>
      </button>
      <Suspense>{isOpen ? <Palette me={me} clanId={clanId} onClose={() => setIsOpen(false)} /> : null}</Suspense>
    </>
  );
}
