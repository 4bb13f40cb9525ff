// When the colors of the style sheet change, for drawings that do not use it: by the system, or by the person's choice.
import { useReducer, useEffect } from "react";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** A number that is another one whenever the colors may have changed. */
export function useColorScheme(): number {
  const [changes, note] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const chosen = new MutationObserver(note);
    chosen.observe(document.documentElement, { attributes: true });
    dark.addEventListener("change", note);
    return () => {
      chosen.disconnect();
      dark.removeEventListener("change", note);
    };
  }, []);
  return changes;
}
