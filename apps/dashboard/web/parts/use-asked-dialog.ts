// The dialog that the palette or a link asks a page to open, once.
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/** Of each page, by its path. */
export type Dialogs = {
  members: "add" | "import";
  "members/:platformId": "give" | "take";
  keys: "create";
  boards: "add";
  boosts: "add";
  people: "invite";
  destinations: "add";
  clans: "create";
};

/** `isReady`: what the dialog needs is loaded. */
export function useAskedDialog<Page extends keyof Dialogs>(
  dialogs: readonly Dialogs[Page][],
  open: (dialog: Dialogs[Page]) => void,
  isReady = true,
): void {
  const location = useLocation();
  const navigate = useNavigate();
  const state: unknown = location.state;
  const asked = state !== null && typeof state === "object" && "dialog" in state ? state.dialog : null;
  const dialog = dialogs.find((one) => one === asked);
  useEffect(() => {
    if (dialog === undefined || !isReady) return;
    open(dialog);
    // So that it does not open again when the page is loaded again.
    void navigate({ search: location.search }, { replace: true, state: null });
    // The others change with every render.
  }, [dialog, isReady]);
}
