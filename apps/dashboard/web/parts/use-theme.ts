// The system's color scheme, for drawings that do not use the style sheet.
import { useSyncExternalStore } from "react";

const dark = window.matchMedia("(prefers-color-scheme: dark)");

export function useTheme(): "dark" | "light" {
  return useSyncExternalStore(
    (onChange) => {
      dark.addEventListener("change", onChange);
      return () => dark.removeEventListener("change", onChange);
    },
    () => (dark.matches ? "dark" : "light"),
  );
}
